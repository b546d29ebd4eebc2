process.env.NODE_ENV ??= process.argv.includes('--dev') ? 'development' : 'production';
const { enableCompileCache, flushCompileCache } = await import('node:module');
enableCompileCache();
const { run } = await import('./run.ts');
await run(process.env, { dev: process.argv.includes('--dev') });
// Node.js itself writes it at a polite end only: a start after a crash is to be quick as well.
flushCompileCache();
