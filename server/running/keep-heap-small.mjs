import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Milliseconds after the start. */
const SETTLED_MS = 5_000;

/**
 * V8 lets garbage pile up to several times what is in use where the machine has room: a flood of small
 * requests took 300 MiB so. A third more than what is in use is quicker to answer with, too; only a
 * start, which leaves little garbage behind, is slower with it: to be called after it.
 */
export function keepHeapSmall() {
  setFlagsFromString('--heap-growing-percent=30');
  setTimeout(returnMemory, SETTLED_MS).unref();
}

/** The start fills far more memory than is in use afterward, and V8 would keep it for later. */
function returnMemory() {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')({ type: 'major', flavor: 'last-resort' });
  setFlagsFromString('--no-expose-gc');
  // The space for new objects is back at its smallest: under load it is to grow to its limit at once.
  // At half of it, a read pays for twice as many collections.
  setFlagsFromString('--semi-space-growth-factor=64');
}
