import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { plant, readLists } from '../../mutants/lists.ts';

const mutants = await readLists();

test.each(mutants)('the planted fault "$fault" fits the code as it is', (mutant) => {
  const source = readFileSync(mutant.file, 'utf8');
  expect(plant(mutant, source)).not.toBe(source);
  expect(mutant.tests.filter((file) => !existsSync(file))).toEqual([]);
});

test('no two planted faults have one name', () => {
  const names = mutants.map(({ fault }) => fault);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('at least 95 of 100 planted faults are noticed by the first ring', () => {
  const first = mutants.filter(({ ring }) => ring !== 'long');
  expect(first.length / mutants.length).toBeGreaterThanOrEqual(0.95);
  expect(first.filter(({ tests }) => tests.every((file) => file.includes('.long.')))).toEqual([]);
});
