process.env.NODE_ENV ??= process.argv.includes('--dev') ? 'development' : 'production';
const { enableCompileCache } = await import('node:module');
enableCompileCache();
const { run } = await import('./run.ts');
await run(process.env, { dev: process.argv.includes('--dev') });
