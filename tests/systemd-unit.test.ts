import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findProgram } from './harness/find-program.ts';
import { skipWithout } from './harness/needs.ts';
import { createDataFolder } from './harness/run-folder.ts';

const root = join(import.meta.dirname, '..');
const unit = join(root, 'deploy/padlink.service');

const analyze = (...words: string[]) => spawnSync('systemd-analyze', words, { encoding: 'utf8' });

test('systemd finds little in the unit that a captured Padlink could do', () => {
  if (!findProgram('systemd-analyze')) return skipWithout('systemd');
  // In tenths, of ten.
  expect(analyze('security', '--offline=true', '--threshold=25', unit)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/Overall exposure level for padlink\.service: [012]\.\d OK/),
  });
});

test('systemd understands every line of the unit, which starts what is there', () => {
  if (!findProgram('systemd-analyze')) return skipWithout('systemd');
  const here = join(createDataFolder(), 'padlink.service');
  writeFileSync(here, readFileSync(unit, 'utf8').replaceAll('/srv/padlink', root));
  const { status, stderr } = analyze('verify', '--man=no', here);
  // Of other units of this machine it may say what it likes.
  expect(stderr.split('\n').filter((line) => line.includes('padlink.service'))).toEqual([]);
  expect(status).toBe(0);
  const [, start = ''] = /^ExecStart=\S+ (\S+)$/m.exec(readFileSync(unit, 'utf8')) ?? [];
  expect(readFileSync(join(root, start), 'utf8')).toContain("import('./run.ts')");
});
