import { expect, test } from 'vitest';
import { COMMON_PASSWORDS } from './common-passwords.ts';
import { findPasswordFault } from './find-password-fault.ts';

const ada = { email: 'ada.lovelace@example.com', firstName: 'Augusta' };

test.each([
  'Correct-horse-7',
  'Aa1!Aa1!',
  'Übergrößen-9',
  'пароль-Москва-7',
  'Long enough 1.',
  `Aa1!${'x'.repeat(124)}`,
  'Augusta-reads-1!',
])('accepts %s', (password) => {
  expect(findPasswordFault(password, ada)).toBeNull();
});

test.each([
  ['', 'at least 8 characters, a lowercase letter, an uppercase letter, a number, and a symbol'],
  ['Aa1!', 'at least 8 characters'],
  ['correct-horse-7', 'an uppercase letter'],
  ['CORRECT-HORSE-7', 'a lowercase letter'],
  ['Correct-horse', 'a number'],
  ['Correcthorse7', 'a symbol'],
  ['Correct horse 7', 'a symbol'],
  ['correcthorse', 'an uppercase letter, a number, and a symbol'],
])('says what "%s" needs', (password, needs) => {
  expect(findPasswordFault(password, ada)?.message).toBe(`The password needs ${needs}.`);
});

test('a short password has its own code', () => {
  expect(findPasswordFault('Aa1!', ada)?.code).toBe('PASSWORD_TOO_SHORT');
  expect(findPasswordFault('correct-horse-7', ada)?.code).toBe('PASSWORD_TOO_WEAK');
});

test('129 characters are too many', () => {
  expect(findPasswordFault(`Aa1!${'x'.repeat(125)}`, ada)?.code).toBe('PASSWORD_TOO_LONG');
});

test.each(['Password1!', 'P@ssw0rd', 'pAsSwOrD123!', '1qaz@WSX', 'Welcome1!'])(
  'refuses %s, which is guessed first',
  (password) => {
    expect(findPasswordFault(password, ada)?.code).toBe('PASSWORD_TOO_COMMON');
  },
);

test('every listed password could be chosen in some spelling, or it would not need to be listed', () => {
  for (const listed of COMMON_PASSWORDS) {
    const spelled = listed.replace(/\p{Ll}/u, (letter) => letter.toUpperCase());
    expect(findPasswordFault(spelled, {})?.code, listed).toBe('PASSWORD_TOO_COMMON');
  }
});

test.each(['Augusta1!', '!AUGUSTa2026', 'Ada.Lovelace1!', '1!Ada.lovelace@example.com'])(
  'refuses %s, which is who its owner is',
  (password) => {
    expect(findPasswordFault(password, ada)?.code).toBe('PASSWORD_TOO_PERSONAL');
  },
);

test('an owner without letters in the name refuses nothing', () => {
  expect(
    findPasswordFault('Correct-horse-7', { email: '123@example.com', firstName: '7' }),
  ).toBeNull();
});
