import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { runCli } from '../harness/run-command.ts';
import { useApp } from '../harness/use-app.ts';

/** Far below what connections are kept for; a machine whose cores are all busy needs a part of it. */
const SOON_MS = 10_000;

const names = [...(await runCli({}, 'help')).stdout.matchAll(/^ {2}([a-z-]+(?: [a-z-]+)?)/gm)].map(
  ([, name = '']) => name,
);

describe('a command', () => {
  const app = useApp();

  test('is named by the usage', () => {
    expect(names.length).toBeGreaterThan(30);
    expect(names).toContain('doctor');
  });

  test.each([...new Set(names)])('%s ends once it has said its last line', async (name) => {
    const child = spawn(process.execPath, ['server/cli/main.ts', ...name.split(' ')], {
      env: { PATH: process.env.PATH, ...app.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let saidAt = Date.now();
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', () => {
        saidAt = Date.now();
      });
    }
    await once(child, 'close');
    expect(Date.now() - saidAt).toBeLessThan(SOON_MS);
  });
});
