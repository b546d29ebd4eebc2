// The yardstick: plain node:http in a process of its own. argv: port, bytes of HTML.
import { createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import { pipeline } from 'node:stream/promises';

const [port, htmlBytes, uploadFile = ''] = process.argv.slice(2);
const html = Buffer.alloc(Number(htmlBytes), 'a');

createServer(async (request, response) => {
  if (request.url === '/html') {
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-length': html.length,
    });
    return response.end(html);
  }
  if (request.url === '/upload') {
    await pipeline(request, createWriteStream(uploadFile));
    return response.writeHead(204).end();
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  JSON.parse(Buffer.concat(chunks).toString() || '{}');
  const json = JSON.stringify({ data: { getPaywallLink: { id: '1a2b3c4d', price: 500 } } });
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(json),
  });
  return response.end(json);
}).listen(Number(port), '127.0.0.1', () => console.log('ready'));
