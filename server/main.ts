process.env.NODE_ENV ??= process.argv.includes('--dev') ? 'development' : 'production';
const { enableCompileCache, flushCompileCache } = await import('node:module');
enableCompileCache();
const { run } = await import('./run.ts');
await run(process.env, { dev: process.argv.includes('--dev') });
// Node.js itself writes it at a polite end only: a start after a crash is to be quick as well.
flushCompileCache();
const { setFlagsFromString } = await import('node:v8');
// V8 lets garbage pile up to several times what is in use where the machine has room: a flood of
// small requests took 300 MiB so. A third more than what is in use is quicker to answer with, too;
// only a start, which leaves little garbage behind, is slower with it.
setFlagsFromString('--heap-growing-percent=30');
