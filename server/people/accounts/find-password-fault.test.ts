import { expect, test } from 'vitest';
import { putIntoEnglish } from '../../../contract/fact.ts';
import { commonPasswords } from './auth/common-passwords.ts';
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
  `Aa1!${'👍🏽'.repeat(124)}`,
  'Ab1!👍🏽👍🏽👍🏽👍🏽',
  'Byronetta-reads-1!',
  // Ordinary ones, although a word of theirs is well known.
  'Test1234!',
  'TestPass123!',
  'Secret123!',
  'Secure123!',
  'Buyer123!',
  'Seller123!',
  'Alice123!',
  'Byronetta123!',
  'Ada.Lovelace1!',
  'Example1!',
  'Abcdef1!',
  'Orange-2026',
  'Dragon-castle-7',
])('accepts %s', (password) => {
  expect(find(password)).toBeNull();
});

test.each([
  ['', 'at least 8 characters, a lowercase letter, an uppercase letter, a number, and a symbol'],
  ['Aa1!', 'at least 8 characters'],
  // Eight units of a JavaScript string.
  ['Ab1!😀😀', 'at least 8 characters'],
  // Eight code points.
  ['Ab1!👍🏽👍🏽', 'at least 8 characters'],
  ['Ab1!e\u0301x\u0301', 'at least 8 characters'],
  ['correct-horse-7', 'an uppercase letter'],
  ['CORRECT-HORSE-7', 'a lowercase letter'],
  ['Correct-horse', 'a number'],
  ['Correcthorse7', 'a symbol'],
  ['Correct horse 7', 'a symbol'],
  ['correcthorse', 'an uppercase letter, a number, and a symbol'],
])('says what "%s" needs', (password, needs) => {
  expect(putIntoEnglish(find(password)?.said ?? '')).toBe(`The password needs ${needs}.`);
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
  'Qwertyuiop1!',
  'Abcd@1234',
  'Aa@123456',
  'Summer2026!',
  // A word of the published list, disguised.
  'F00tb@ll',
  '$Unsh1ne',
  'Padlink1!',
])('refuses %s, which is guessed first', (password) => {
  expect(find(password)?.code).toBe('PASSWORD_TOO_COMMON');
});

test.each([
  ['Ada.Lovelace1@example.com', { email: 'ada.lovelace1@example.com' }],
  ['Ada-Lovelace1', { email: 'ada-lovelace1@example.com' }],
  ['BYRONETTa-1', { firstName: 'Byronetta-1' }],
])('refuses %s, which is who its owner is', (password, owner) => {
  expect(find(password, owner)?.code).toBe('PASSWORD_TOO_PERSONAL');
});
