import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { whileAlive } from './harness/eventually.ts';
import {
  type AppOptions,
  createTestEnvironment,
  type TestEnvironment,
} from './harness/test-environment.ts';

export type SpawnedApp = Omit<TestEnvironment, 'remove'> & {
  pid(): number;
  /** What it printed so far, over all its starts. */
  output(): string;
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>;
  /** Ends it the polite way; its data stays. Returns the exit code. */
  terminate(): Promise<number | null>;
  /** Starts it again on the same data, after `kill` or `terminate`. */
  start(): Promise<void>;
  /** `terminate`, and removes its data. Returns the exit code. */
  stop(): Promise<number | null>;
};

const main = join(import.meta.dirname, '..', 'server', 'main.ts');

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

/** The product as a process of its own, ready to answer. */
export async function spawnApp(options: AppOptions = {}): Promise<SpawnedApp> {
  const { remove, ...environment } = await createTestEnvironment(options);
  let output = '';
  let child: ChildProcess;

  async function start(): Promise<void> {
    child = spawn(process.execPath, [main], {
      env: { PATH: process.env.PATH, ...environment.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const collect = (chunk: Buffer) => {
      output += chunk;
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    await whileAlive(child, async () => {
      const { ok } = await fetch(`http://127.0.0.1:${environment.port}/readyz`);
      if (!ok) throw new Error('Not ready.');
    }).catch((cause) => {
      throw new Error(`The product did not become ready: ${output}`, { cause });
    });
  }

  async function terminate(): Promise<number | null> {
    await end(child, 'SIGTERM');
    return child.exitCode;
  }

  const killIfLeft = () => child.kill('SIGKILL');
  process.once('exit', killIfLeft);
  await start().catch(async (error) => {
    process.off('exit', killIfLeft);
    await remove();
    throw error;
  });
  return {
    ...environment,
    pid: () => child.pid ?? 0,
    output: () => output,
    kill: () => end(child, 'SIGKILL'),
    terminate,
    start,
    async stop() {
      const code = await terminate();
      process.off('exit', killIfLeft);
      await remove();
      return code;
    },
  };
}
