import { expect, test } from 'vitest';
import { hashPassword, verifyPassword } from './passwords.ts';

test('hashes with argon2id at 19 MiB, two passes and one lane, salted', async () => {
  const [first, second] = await Promise.all([hashPassword('secret'), hashPassword('secret')]);
  expect(first).toMatch(
    /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
  );
  expect(first).not.toBe(second);
  expect(await verifyPassword({ hash: first, password: 'secret' })).toBe(true);
  expect(await verifyPassword({ hash: first, password: 'Secret' })).toBe(false);
});

test('verifies what the reference implementation made, at another cost', async () => {
  // `echo -n password | argon2 somesalt -id -t 2 -m 16 -p 1 -l 32 -e`
  const hash =
    '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  expect(await verifyPassword({ hash, password: 'password' })).toBe(true);
  expect(await verifyPassword({ hash, password: 'passwore' })).toBe(false);
});

test('the same characters verify however the keyboard composed them', async () => {
  const hash = await hashPassword('Caf\u00e9-1234');
  expect(await verifyPassword({ hash, password: 'Cafe\u0301-1234' })).toBe(true);
});

test.each(['', 'secret', '$argon2id$v=19$m=1', '$2b$10$abcdefghijklmnopqrstuv'])(
  'nothing verifies against %j',
  async (hash) => {
    expect(await verifyPassword({ hash, password: hash })).toBe(false);
  },
);
