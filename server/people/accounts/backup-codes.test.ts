import { expect, test } from 'vitest';
import { createBackupCodes, readBackupCode } from './backup-codes.ts';

test('ten backup codes are made, none like another', () => {
  const codes = createBackupCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}$/);
  expect(createBackupCodes()).not.toEqual(codes);
});

test.each(['4f7kq-01w1e', '4F7KQ01W1E', ' 4f7kq – olwie '])(
  '%s is read as 4f7kq-01w1e',
  (typed) => {
    expect(readBackupCode(typed)).toBe('4f7kq-01w1e');
  },
);
