import { expect, test } from 'vitest';
import { formatBytes } from './start-upload.ts';

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1023, '1023 bytes'],
  [1024, '1 KiB'],
  [1_500_000, '1.43 MiB'],
  [5 * 1024 ** 3, '5 GiB'],
  [Number.MAX_SAFE_INTEGER, '8192 TiB'],
])('%d is %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
