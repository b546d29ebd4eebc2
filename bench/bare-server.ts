// The yardstick: plain node:http. argv: port, bytes of HTML, file for uploads.
import { createWriteStream } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

const [port, htmlBytes, uploadFile = ''] = process.argv.slice(2);
const html = Buffer.alloc(Number(htmlBytes), 'a');
const json = Buffer.from(JSON.stringify({ data: { getPaywallLink: { id: '1a2b3c4d' } } }));

function answer(response: ServerResponse, contentType: string, body: Buffer): void {
  response.writeHead(200, { 'content-type': contentType, 'content-length': body.length });
  response.end(body);
}

createServer((request, response) => {
  if (request.url === '/html') return answer(response, 'text/html; charset=utf-8', html);
  if (request.url === '/json') {
    request.resume();
    return answer(response, 'application/json; charset=utf-8', json);
  }
  return pipeline(request, createWriteStream(uploadFile)).then(() => {
    response.writeHead(204).end();
  });
}).listen(Number(port), '127.0.0.1');
