// Plain JavaScript: a TypeScript entry would load the compiler that strips types at every start,
// before the cache that keeps what it stripped is there.
import { existsSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { keepHeapSmall } from './running/keep-heap-small.mjs';
import { settleShapes } from './running/settle-shapes.mjs';

settleShapes();
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
keepHeapSmall();
