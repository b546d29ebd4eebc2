// Plain JavaScript: a TypeScript entry would load the compiler that strips types at every start,
// before the cache that keeps what it stripped is there.
import { existsSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Milliseconds after the start. */
const SETTLED_MS = 5_000;

const dev = process.argv.includes('--dev');
process.env.NODE_ENV ??= dev ? 'development' : 'production';
enableCompileCache();
// Without a build, and where its sources are being changed, the sources themselves run.
const bundled = new URL('../dist/program/run.mjs', import.meta.url);
const { run } = await (!dev && existsSync(bundled)
  ? import('../dist/program/run.mjs')
  : import('./run.ts'));
await run(process.env, { dev });
// Node.js itself writes it at a polite end only: a start after a crash is to be quick as well.
flushCompileCache();
// V8 lets garbage pile up to several times what is in use where the machine has room: a flood of
// small requests took 300 MiB so. A third more than what is in use is quicker to answer with, too;
// only a start, which leaves little garbage behind, is slower with it.
setFlagsFromString('--heap-growing-percent=30');
setTimeout(returnMemory, SETTLED_MS).unref();

/** The start fills far more memory than is in use afterward, and V8 would keep it for later. */
function returnMemory() {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')({ type: 'major', flavor: 'last-resort' });
  setFlagsFromString('--no-expose-gc');
  // The space for new objects is back at its smallest: under load it is to grow to its limit at once.
  // At half of it, a read pays for twice as many collections.
  setFlagsFromString('--semi-space-growth-factor=64');
}
