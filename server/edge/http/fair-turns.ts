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

/** Begins a request when it is its turn; never, if its connection closes before. */
export type TakeTurn = (request: IncomingMessage, begin: () => void) => void;

interface Waiting {
  address: string;
  begin(): void;
}

/**
 * Begins requests as they come, for as long as a round of the event loop should take. Further ones
 * wait for the next rounds, which begin one of each address in turn: whoever sends many waits for
 * their own, and what was begun before goes on between.
 * @param addressOf whose turn a request takes; asked only if it has to wait
 */
export function createFairTurns(addressOf: (request: IncomingMessage) => string): TakeTurn {
  // In the order of their next turns.
  const ofAddresses = new Map<string, Set<Waiting>>();
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
    const ofSocket = ofSockets.get(request.socket) ?? watch(request.socket);
    const waiting: Waiting = {
      address,
      // Under its own trace, not that of the request which was begun before it.
      begin: AsyncResource.bind(() => {
        ofSocket.delete(waiting);
        begin();
      }),
    };
    ofSocket.add(waiting);
    const ofAddress = ofAddresses.get(address);
    if (ofAddress) ofAddress.add(waiting);
    else ofAddresses.set(address, new Set([waiting]));
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
    const ofAddress = ofAddresses.get(waiting.address);
    ofAddress?.delete(waiting);
    if (ofAddress?.size === 0) ofAddresses.delete(waiting.address);
  }

  /** What is planned together runs in one round, each with all that follows from it at once. */
  function planRound(): void {
    isPlanned = true;
    for (let count = 0; count < MOST_IN_A_ROUND; count += 1) setImmediate(beginNext);
    setImmediate(() => {
      isPlanned = false;
      roundBegan = undefined;
      if (ofAddresses.size > 0) planRound();
    });
  }

  function beginNext(): void {
    const [next] = ofAddresses;
    if (!next || !hasTimeLeft()) return;
    const [address, ofAddress] = next;
    const [waiting] = ofAddress;
    if (!waiting) return;
    ofAddress.delete(waiting);
    ofAddresses.delete(address);
    if (ofAddress.size > 0) ofAddresses.set(address, ofAddress);
    waiting.begin();
  }

  return (request, begin) => {
    if (!isPlanned && hasTimeLeft()) begin();
    else wait(request, begin);
  };
}
