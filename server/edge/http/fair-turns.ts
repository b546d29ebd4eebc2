import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/**
 * How long requests are begun in one round of the event loop, in milliseconds: what goes on between
 * the rounds, such as a payment, takes some ten of them.
 */
const ROUND_MS = 6;
/** Of those that had to wait. */
const MOST_IN_A_ROUND = 32;
/** Whoever pretends to be the provider takes no more than this part. */
const PRIORITY_EVERY = 4;

/** Begins a request when it is its turn; never, if its connection closes before. */
export type TakeTurn = (request: IncomingMessage, begin: () => void) => void;

/** Those of each address, in the order of their next turns. */
type Queue = Map<string, Set<Waiting>>;

interface Waiting {
  queue: Queue;
  address: string;
  begin(): void;
}

/**
 * Begins requests as they come, for as long as a round of the event loop should take. Further ones
 * wait for the next rounds, which begin one of each address in turn: whoever sends many waits for
 * their own, and what was begun before goes on between. One turn in `PRIORITY_EVERY` belongs to
 * requests with priority: a shop that fell behind by some seconds would never catch up if each payment
 * waited for a thousand buyers who ask whether it has arrived.
 * @param addressOf whose turn a request takes; asked, like `hasPriority`, only if it has to wait
 */
export function createFairTurns(
  addressOf: (request: IncomingMessage) => string,
  hasPriority: (request: IncomingMessage) => boolean,
): TakeTurn {
  const prior: Queue = new Map();
  const others: Queue = new Map();
  /** Turns so far. */
  let turns = 0;
  const ofSockets = new WeakMap<Socket, Set<Waiting>>();
  let roundBegan: number | undefined;
  let isPlanned = false;

  /** The time of a round begins with the first request that is begun in it. */
  function hasTimeLeft(): boolean {
    const now = performance.now();
    if (roundBegan !== undefined) return now - roundBegan < ROUND_MS;
    roundBegan = now;
    setImmediate(() => {
      roundBegan = undefined;
    });
    return true;
  }

  function wait(request: IncomingMessage, begin: () => void): void {
    const address = addressOf(request);
    const queue = hasPriority(request) ? prior : others;
    const ofSocket = ofSockets.get(request.socket) ?? watch(request.socket);
    const waiting: Waiting = {
      queue,
      address,
      // Under its own trace, not that of the request which was begun before it.
      begin: AsyncResource.bind(() => {
        ofSocket.delete(waiting);
        begin();
      }),
    };
    ofSocket.add(waiting);
    const ofAddress = queue.get(address);
    if (ofAddress) ofAddress.add(waiting);
    else queue.set(address, new Set([waiting]));
    if (!isPlanned) planRound();
  }

  /** What its connection still waits for is let go with it. */
  function watch(socket: Socket): Set<Waiting> {
    const ofSocket = new Set<Waiting>();
    ofSockets.set(socket, ofSocket);
    socket.once('close', () => {
      for (const waiting of ofSocket) leave(waiting);
    });
    return ofSocket;
  }

  function leave(waiting: Waiting): void {
    const { queue, address } = waiting;
    const ofAddress = queue.get(address);
    ofAddress?.delete(waiting);
    if (ofAddress?.size === 0) queue.delete(address);
  }

  /** What is planned together runs in one round, each with all that follows from it at once. */
  function planRound(): void {
    isPlanned = true;
    for (let count = 0; count < MOST_IN_A_ROUND; count += 1) setImmediate(beginNext);
    setImmediate(() => {
      isPlanned = false;
      roundBegan = undefined;
      if (prior.size + others.size > 0) planRound();
    });
  }

  function beginNext(): void {
    const isForPrior = turns % PRIORITY_EVERY === 0 && prior.size > 0;
    const queue = isForPrior || others.size === 0 ? prior : others;
    const [next] = queue;
    if (!next || !hasTimeLeft()) return;
    const [address, ofAddress] = next;
    const [waiting] = ofAddress;
    if (!waiting) return;
    turns += 1;
    ofAddress.delete(waiting);
    queue.delete(address);
    if (ofAddress.size > 0) queue.set(address, ofAddress);
    waiting.begin();
  }

  return (request, begin) => {
    if (!isPlanned && hasTimeLeft()) begin();
    else wait(request, begin);
  };
}
