import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '../tests/harness/eventually.ts';

/** Ends with the scope that holds it. */
export interface Server extends AsyncDisposable {
  origin: string;
  pid: number;
}

/**
 * Starts a server as a process of its own and waits until it answers at `readyPath`.
 * @throws with its exit code when it ends instead
 */
export async function startProcess(
  command: [string, ...string[]],
  {
    origin,
    readyPath,
    ...options
  }: { origin: string; readyPath: string; env?: NodeJS.ProcessEnv; cwd?: string },
): Promise<Server> {
  const [file, ...args] = command;
  const child = spawn(file, args, { ...options, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`${command.join(' ')} exited unexpectedly: ${code ?? signal}`);
  });
  const ready = eventually(() => fetch(origin + readyPath), { timeoutMs: 30_000 });
  try {
    await Promise.race([ready, ended]);
  } catch (error) {
    await end(child);
    throw error;
  }
  let isWanted = true;
  ended.catch((error: unknown) => {
    if (isWanted) console.error(error);
  });
  return {
    origin,
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      isWanted = false;
      await end(child);
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
