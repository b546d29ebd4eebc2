import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { skipWithout } from '../harness/needs.ts';

const SCRIPT = join(import.meta.dirname, '../../soak/run.ts');

test('a minute of six hostile clients keeps neither buyer nor seller from working', async () => {
  if (process.platform !== 'linux') return skipWithout('linux');
  const soak = spawn(process.execPath, [SCRIPT, '1'], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void soak.kill());
  const [told, [status]] = await Promise.all([text(soak.stdout), once(soak, 'close')]);
  console.log(told);
  expect(status).toBe(0);
});
