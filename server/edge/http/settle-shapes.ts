import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** Of a kind, whose objects have the room from then on that was needed up to then. */
const UNTIL_SETTLED = 7;

/**
 * Has V8 settle how much room a request and its response take. Were a collection of garbage to forget
 * the first six of them, that would be none: each one until the next start would be a table of hashes,
 * of 4 KiB more, and take a quarter more time (measured with `npm run bench -- html`).
 */
export function settleShapes(): void {
  for (let made = 0; made < UNTIL_SETTLED; made += 1) {
    new ServerResponse(new IncomingMessage(new Socket()));
  }
}
