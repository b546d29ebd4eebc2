import type { ServerResponse } from 'node:http';
import type { BlobReader } from './file-store.ts';

/**
 * Two buffers a download, used again and again: one is filled while the other drains. Fresh
 * buffers for each chunk, as streams make them, keep the garbage collector busy.
 */
const LARGEST_BUFFER = 256 * 1024;
const SMALLEST_BUFFER = 16 * 1024;
/** Slow clients hold their buffers for hours: when there are many, each gets smaller ones. */
const BUFFERS_IN_ALL = 32 * 1024 * 1024;

/** The largest buffers outlive their download: memory of a new one costs more than what it sends. */
const spare: Buffer[] = [];
const MAX_SPARE_BUFFERS = 16;

/**
 * What all downloads together may begin to move in one turn of the event loop: a server accepts
 * one connection a turn, so hundreds of downloads that all move in each would let new visitors
 * wait for seconds.
 */
const BYTES_PER_TURN = 4 * 1024 * 1024;

let running = 0;
let leftOfTurn = BYTES_PER_TURN;
let isTurnDue = false;
const waiting: { bytes: number; go(): void }[] = [];

/**
 * Sends a part of a blob as the response's body. `begin` writes the head, once the first bytes were
 * read. `onSent` hears of bytes once the system took them over: the socket accepted them, the last
 * ones may still be on their way. They are fewer than asked when the client left.
 * @throws Error when the blob cannot be read; never because the client left
 */
export async function streamBlob(
  reader: BlobReader,
  response: ServerResponse,
  { first, length }: { first: number; length: number },
  { begin, onSent }: { begin: () => void; onSent: (bytes: number) => void },
): Promise<void> {
  running += 1;
  try {
    const write = createWrite(response);
    const end = first + length;
    const room = Math.min(length, bufferBytes());
    let [draining, filling] = [takeBuffer(room), takeBuffer(room)];
    let leaving = Promise.resolve(0);
    for (let position = first; position < end && !response.destroyed; ) {
      const wanted = Math.min(room, end - position);
      await takeTurn(wanted);
      const got = await reader.read(filling, wanted, position);
      if (got === 0) throw new Error(`The blob ends at ${position}, not at ${end}`);
      if (position === first) begin();
      onSent(await leaving);
      leaving = write(filling.subarray(0, got));
      [draining, filling] = [filling, draining];
      position += got;
    }
    onSent(await leaving);
    // Not after a failure, when one may still be leaving.
    for (const buffer of [draining, filling]) keepBuffer(buffer);
  } finally {
    running -= 1;
  }
}

function bufferBytes(): number {
  const share = Math.floor(BUFFERS_IN_ALL / (2 * running));
  return Math.min(Math.max(share, SMALLEST_BUFFER), LARGEST_BUFFER);
}

const takeBuffer = (bytes: number) =>
  (bytes === LARGEST_BUFFER && spare.pop()) || Buffer.allocUnsafeSlow(bytes);

function keepBuffer(buffer: Buffer): void {
  if (buffer.length === LARGEST_BUFFER && spare.length < MAX_SPARE_BUFFERS) spare.push(buffer);
}

/** Resolves with the bytes taken, 0 once the client left: Node may then never call back. */
function createWrite(response: ServerResponse): (chunk: Uint8Array) => Promise<number> {
  let giveUp = () => {};
  response.once('close', () => giveUp());
  return (chunk) =>
    new Promise((resolve) => {
      if (response.destroyed) return resolve(0);
      giveUp = () => resolve(0);
      response.write(chunk, (error) => resolve(error ? 0 : chunk.length));
    });
}

/** Resolves when so many bytes may move: at once, or in one of the next turns, first come first. */
async function takeTurn(bytes: number): Promise<void> {
  if (!isTurnDue) setImmediate(beginTurn);
  isTurnDue = true;
  if (waiting.length === 0 && leftOfTurn > 0) leftOfTurn -= bytes;
  else await new Promise<void>((go) => waiting.push({ bytes, go }));
}

function beginTurn(): void {
  leftOfTurn = BYTES_PER_TURN;
  for (let next = waiting[0]; next && leftOfTurn > 0; next = waiting[0]) {
    waiting.shift();
    leftOfTurn -= next.bytes;
    next.go();
  }
  isTurnDue = waiting.length > 0;
  if (isTurnDue) setImmediate(beginTurn);
}
