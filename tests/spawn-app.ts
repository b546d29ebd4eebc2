import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { eventually } from './harness/eventually.ts';
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
  /** Starts it again on the same data, after `kill`. */
  start(): Promise<void>;
  /** Ends it the polite way and removes its data. Returns the exit code. */
  stop(): Promise<number | null>;
};

const main = join(import.meta.dirname, '..', 'server', 'main.ts');

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

async function waitUntilReady(child: ChildProcess, port: number): Promise<void> {
  await eventually(async () => {
    // Whoever answers in its place is another product that took the port.
    if (child.exitCode !== null) return;
    const { ok } = await fetch(`http://127.0.0.1:${port}/readyz`);
    if (!ok) throw new Error('Not ready.');
  });
  if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}.`);
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
    await waitUntilReady(child, environment.port).catch(async (cause) => {
      await end(child, 'SIGKILL');
      throw new Error(`The product did not become ready: ${output}`, { cause });
    });
  }

  await start().catch(async (error) => {
    await remove();
    throw error;
  });
  const killIfLeft = () => child.kill('SIGKILL');
  process.once('exit', killIfLeft);
  return {
    ...environment,
    pid: () => child.pid ?? 0,
    output: () => output,
    kill: () => end(child, 'SIGKILL'),
    start,
    async stop() {
      await end(child, 'SIGTERM');
      process.off('exit', killIfLeft);
      await remove();
      return child.exitCode;
    },
  };
}
