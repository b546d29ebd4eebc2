import { enableCompileCache } from 'node:module';

enableCompileCache();
const { runCommand } = await import('./commands.ts');
process.umask(0o077);
const code = await runCommand(process.argv.slice(2), process.env, console);
// Connections that are kept for another request would keep the process for as long.
for (const stream of [process.stdout, process.stderr]) {
  await new Promise((written) => stream.write('', written));
}
process.exit(code);
