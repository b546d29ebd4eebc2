import { enableCompileCache } from 'node:module';

enableCompileCache();
const { runCommand } = await import('./commands.ts');
process.umask(0o077);
process.exitCode = await runCommand(process.argv.slice(2), process.env, console);
