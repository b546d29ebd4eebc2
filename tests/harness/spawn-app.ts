import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { whileAlive } from './eventually.ts';
import {
  type AppOptions,
  createTestEnvironment,
  type TestEnvironment,
} from './test-environment.ts';

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
  /** Waits until it is ready. @throws when it ends instead */
  untilReady(): Promise<void>;
  /** `terminate`, and removes its data. Returns the exit code. */
  stop(): Promise<number | null>;
};

type Installation = {
  /** The folder of the product that is started. */
  folder?: string;
  /** The Node.js that runs it. */
  node?: string;
};

/** The product as a process of its own, ready to answer. */
export async function spawnApp(options: AppOptions & Installation = {}): Promise<SpawnedApp> {
  const app = await prepareApp(options);
  await app.start().catch(async (error) => {
    await app.stop();
    throw error;
  });
  return app;
}

/** A product that has not been started yet. */
export async function prepareApp({
  folder = join(import.meta.dirname, '../..'),
  node = process.execPath,
  ...options
}: AppOptions & Installation = {}): Promise<SpawnedApp> {
  const { remove, ...environment } = await createTestEnvironment(options);
  let output = '';
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    process.once('exit', killIfLeft);
    child = spawn(node, [join(folder, 'server/main.mjs')], {
      env: { PATH: process.env.PATH, ...environment.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const collect = (chunk: Buffer) => {
      output += chunk;
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    await untilReady();
  }

  async function untilReady(): Promise<void> {
    if (!child) throw new Error('It was not started.');
    await whileAlive(child, async () => {
      const { ok } = await fetch(`http://127.0.0.1:${environment.port}/readyz`);
      if (!ok) throw new Error('Not ready.');
    }).catch((cause) => {
      throw new Error(`The product did not become ready: ${output}`, { cause });
    });
  }

  async function terminate(): Promise<number | null> {
    await end('SIGTERM');
    return child?.exitCode ?? null;
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    process.off('exit', killIfLeft);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  function killIfLeft(): void {
    child?.kill('SIGKILL');
  }

  return {
    ...environment,
    pid: () => child?.pid ?? 0,
    output: () => output,
    kill: () => end('SIGKILL'),
    terminate,
    start,
    untilReady,
    async stop() {
      const code = await terminate();
      await remove();
      return code;
    },
  };
}
