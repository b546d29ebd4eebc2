import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** Where V8 ends its in-object slack tracking: objects have from then on the room that these needed. */
const TRACKED = 7;

/**
 * Ends the slack tracking of requests and responses before the first of them. If a full collection of
 * garbage falls between the sixth and the seventh, V8 has forgotten what they needed, and gives all
 * later ones no room: they are in dictionary mode until the next start, take 4 KiB more each and a
 * quarter more time (`npm run bench -- html`).
 */
export function settleShapes(): void {
  for (let made = 0; made < TRACKED; made += 1) {
    new ServerResponse(new IncomingMessage(new Socket()));
  }
}
