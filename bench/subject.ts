import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../tests/harness/eventually.ts';
import { findFreePort } from '../tests/harness/free-port.ts';

export interface Subject {
  /** Padlink, as a process of its own. */
  origin: string;
  dataDir: string;
  stop(): Promise<void>;
}

/** Starts Padlink as its users do, on a throwaway folder. */
export async function startSubject(env: Record<string, string> = {}): Promise<Subject> {
  const dataDir = mkdtempSync(join(tmpdir(), 'padlink-bench-'));
  const port = await findFreePort();
  const child = run(join(import.meta.dirname, '..', 'server', 'main.ts'), [], {
    PORT: String(port),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    NODE_ENV: 'production',
    ...env,
  });
  await eventually(async () => {
    const { ok } = await fetch(`http://localhost:${port}/readyz`);
    if (!ok) throw new Error('Padlink did not become ready.');
  });
  return {
    origin: `http://localhost:${port}`,
    dataDir,
    async stop() {
      await end(child);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Starts the yardstick. */
export async function startBareServer(htmlBytes: number, uploadFile = '') {
  const port = await findFreePort();
  const script = join(import.meta.dirname, 'bare-server.ts');
  const child = run(script, [String(port), String(htmlBytes), uploadFile], {});
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  return { origin: `http://127.0.0.1:${port}`, stop: () => end(child) };
}

function run(script: string, args: string[], env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [script, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
