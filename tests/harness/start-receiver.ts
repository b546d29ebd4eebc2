import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type Taken = { headers: IncomingHttpHeaders; body: string };

const ANSWERS = {
  well: { status: 200, body: '' },
  wrong: { status: 500, body: `Out of\0order ${'.'.repeat(5_000)}` },
  elsewhere: { status: 302, body: '' },
};

/** A program of a seller's, which answers as it is told to. */
export async function startReceiver(port = 0) {
  const taken: Taken[] = [];
  let answer: (typeof ANSWERS)[keyof typeof ANSWERS] | 'never' = ANSWERS.well;
  const server: Server = createServer(async (request, response) => {
    taken.push({ headers: request.headers, body: await text(request) });
    if (answer === 'never') return;
    response.writeHead(answer.status, { location: '/elsewhere' }).end(answer.body);
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    taken,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    answerWith(what: keyof typeof ANSWERS | 'never') {
      answer = what === 'never' ? what : ANSWERS[what];
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
