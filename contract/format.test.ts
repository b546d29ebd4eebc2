import { expect, test } from 'vitest';
import { formatBytes } from './format.ts';

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1.0 kB'],
  [99_960, '100 kB'],
  [999_499, '999 kB'],
  [999_500, '1.0 MB'],
  [1_500_000, '1.5 MB'],
  [5 * 1024 ** 3, '5.4 GB'],
  [Number.MAX_SAFE_INTEGER, '9007 TB'],
])('%d is %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
