import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findIdleTests } from './find-idle-tests.ts';

const files = globSync('{contract,server,sandbox,tests,web}/**/*.test.ts');

test('every test asserts something', () => {
  expect(files.length).toBeGreaterThan(200);
  const idle = files.flatMap((file) =>
    findIdleTests(readFileSync(file, 'utf8')).map((title) => `${file}: ${title}`),
  );
  expect(idle).toEqual([]);
});
