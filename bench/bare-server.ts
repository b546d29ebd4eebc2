// The yardstick: plain node:http. argv: port, bytes of HTML, file for uploads.
import { createWriteStream } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

const [port, htmlBytes, uploadFile = ''] = process.argv.slice(2);
/** As many as the kept pages that are asked for: one would never leave the processor's cache. */
const PAGES = 200;
const pages = Array.from({ length: PAGES }, () => Buffer.alloc(Number(htmlBytes), 'a'));
let sent = 0;
const json = Buffer.from(JSON.stringify({ data: { getPaywallLink: { id: '1a2b3c4d' } } }));

function answer(response: ServerResponse, contentType: string, body: Buffer): void {
  response.writeHead(200, { 'content-type': contentType, 'content-length': body.length });
  response.end(body);
}

createServer((request, response) => {
  if (request.url?.startsWith('/p/')) {
    sent += 1;
    return answer(response, 'text/html; charset=utf-8', pages[sent % PAGES] as Buffer);
  }
  if (request.url === '/json') {
    request.resume();
    return answer(response, 'application/json; charset=utf-8', json);
  }
  return pipeline(request, createWriteStream(uploadFile)).then(() => {
    response.writeHead(204).end();
  });
}).listen(Number(port), '127.0.0.1');
