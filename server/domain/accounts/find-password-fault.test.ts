import { expect, test } from 'vitest';
import { commonPasswords } from '../../adapters/auth/common-passwords.ts';
import { findPasswordFault, type PasswordOwner } from './find-password-fault.ts';

const ada = { email: 'ada.lovelace@example.com', firstName: 'Byronetta' };
const common = await commonPasswords();
const find = (password: string, owner: PasswordOwner = ada) =>
  findPasswordFault(password, owner, common);

test.each([
  'Correct-horse-7',
  'Aa1!Aa1!',
  'Übergrößen-9',
  'пароль-Москва-7',
  'Long enough 1.',
  `Aa1!${'x'.repeat(124)}`,
  'Byronetta-reads-1!',
])('accepts %s', (password) => {
  expect(find(password)).toBeNull();
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
  expect(find(password)?.message).toBe(`The password needs ${needs}.`);
});

test('a short password has its own code', () => {
  expect(find('Aa1!')?.code).toBe('PASSWORD_TOO_SHORT');
  expect(find('correct-horse-7')?.code).toBe('PASSWORD_TOO_WEAK');
});

test('129 characters are too many', () => {
  expect(find(`Aa1!${'x'.repeat(125)}`)?.code).toBe('PASSWORD_TOO_LONG');
});

test.each([
  'Password1!',
  'P@ssw0rd',
  'pAsSwOrD123!',
  '1qaz@WSX',
  'Welcome1!',
  'W3lc0me-7',
  'Welc0m3!',
  '@Dmin-123',
  'Summer-2026!',
  '!!Dragon12',
  'Qwertyuiop1!',
  'Trustno1!',
  'Abcd@1234',
  'Aa@123456',
  'Padlink-1',
  'P4dl1nk!',
])('refuses %s, which is guessed first', (password) => {
  expect(find(password)?.code).toBe('PASSWORD_TOO_COMMON');
});

test.each(['Dragon-79240!', 'Dragon-castle-7', 'Password-of-Ada-1'])(
  'accepts %s, which only begins like one that is guessed first',
  (password) => {
    expect(find(password)).toBeNull();
  },
);

test.each(['Byronetta1!', '!BYRONETTa2026', 'Ada.Lovelace1!', '1!Ada.lovelace@example.com'])(
  'refuses %s, which is who its owner is',
  (password) => {
    expect(find(password)?.code).toBe('PASSWORD_TOO_PERSONAL');
  },
);

test('an owner without letters in the name refuses nothing', () => {
  expect(find('Correct-horse-7', { email: '123@example.com', firstName: '7' })).toBeNull();
});
