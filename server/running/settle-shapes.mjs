import { executionAsyncResource } from 'node:async_hooks';
import { Socket } from 'node:net';

// An import would load the client behind `fetch` as well: scripts/setup/bundle-server.mjs.
const { IncomingMessage, ServerResponse } = process.getBuiltinModule('node:http');

/** Where V8 ends its in-object slack tracking: objects have from then on the room that these needed. */
const TRACKED = 7;

/** @type {object[]} */
const held = [];

/**
 * Keeps V8 from forgetting, with a full collection of garbage, the shapes of what Node.js makes for
 * each request: to be called before the first one (`npm run bench -- html`).
 *
 * If one falls between the sixth and the seventh request, it has forgotten what they needed, and gives
 * all later ones no room: they are in dictionary mode until the next start, take 4 KiB more each and a
 * quarter more time.
 *
 * If one falls where nothing waits for `process.nextTick`, the shape of what waits there is gone with
 * the last of them, and all later ones are made the slow way, several for each request.
 * @returns what is held for its shape, from the next tick on
 */
export function settleShapes() {
  for (let made = 0; made < TRACKED; made += 1) {
    new ServerResponse(new IncomingMessage(new Socket()));
  }
  process.nextTick(() => held.push(executionAsyncResource()));
  return held;
}
