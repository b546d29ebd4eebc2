import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { runCommand } from '../../server/cli/commands.ts';

const server = join(import.meta.dirname, '../..', 'server');

interface Ended {
  code: number | null;
  /** What it printed, to either side. */
  said: string;
}

/** Runs a program of the product to its end; a server that becomes ready instead is ended. */
async function run(
  env: Record<string, string>,
  file: string,
  words: string[],
  follow: (said: string) => void = () => {},
): Promise<Ended> {
  const child = spawn(process.execPath, [join(server, file), ...words], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said += chunk;
      follow(said);
      if (said.includes('Padlink is ready')) child.kill('SIGKILL');
    });
  }
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('close', resolve);
  child.once('error', reject);
  return { code: await promise, said };
}

/** Starts the product where it must refuse. @returns what it says */
export async function refusalOfStart(env: Record<string, string>): Promise<string> {
  const { code, said } = await run(env, 'main.mjs', []);
  if (code !== 1) throw new Error(`It did not refuse, but ended with ${code}: ${said}`);
  return said;
}

/** Starts the product until it is ready, telling each time what it has said so far. */
export async function followStart(env: Record<string, string>, follow: (said: string) => void) {
  return (await run(env, 'main.mjs', [], follow)).said;
}

/** Runs one of the operator's commands as a program of its own. */
export function spawnCli(env: Record<string, string>, ...words: string[]): Promise<Ended> {
  return run(env, 'cli/main.ts', words);
}

/** Runs one of the operator's commands in this process, which has loaded it already. */
export async function runCli(env: Record<string, string>, ...words: string[]) {
  const printed = { stdout: '', stderr: '' };
  const status = await runCommand(words, env, {
    log(line) {
      printed.stdout += `${line}\n`;
    },
    error(line) {
      printed.stderr += `${line}\n`;
    },
  });
  return { status, ...printed };
}
