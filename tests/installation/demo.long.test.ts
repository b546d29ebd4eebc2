import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PASSWORD, signIn } from '../factories/factories.ts';
import { whileAlive } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { createPerson } from '../harness/person.ts';

const script = join(import.meta.dirname, '../..', 'scripts', 'demo.ts');

test('the demo opens without an error, and says how to sign in as each seller', async () => {
  const port = await findFreePort();
  const demo = spawn(process.execPath, [script], {
    env: { PATH: process.env.PATH, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(demo, 'exit');
  onTestFinished(async () => {
    demo.kill('SIGKILL');
    await ended;
  });
  let output = '';
  let errors = '';
  demo.stdout.on('data', (text) => {
    output += text;
  });
  demo.stderr.on('data', (text) => {
    errors += text;
  });
  await whileAlive(demo, async () =>
    expect(output).toContain('Everything is deleted when you stop'),
  );

  const emails = ['ada@example.com', 'bjorn@example.com', 'misaki@example.com'];
  expect(output.match(/\S+@example\.com/g)).toEqual(emails);
  expect(output.split(PASSWORD)).toHaveLength(2);
  const visitor = createPerson({ origin: `http://localhost:${port}` });
  for (const email of emails) await signIn(visitor, email);
  expect(output).not.toContain('"level":');
  expect(errors).toBe('');
  demo.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});
