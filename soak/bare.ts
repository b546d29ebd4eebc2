// The yardstick: plain node:http, which answers `/bytes/1234` with so many and refuses all else. Tells
// its parent the port.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// Connections stay open while the attack rests: none may be closed just when it is used again.
const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
  request.resume();
  const [, bytes] = /^\/bytes\/(\d+)$/.exec(request.url ?? '') ?? [];
  response.writeHead(bytes ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
  response.end(Buffer.alloc(Number(bytes ?? 0), 'a'));
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
