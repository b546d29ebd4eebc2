import { expect, test } from 'vitest';
import { checkFirstName, pickFirstName } from './first-name.ts';

const UNSEEN = ['\u0301\u0489', '\u0001\u0007', '\ufffe', '\ufdd0\u{1ffff}', '\ud800', '\ufffc'];

test.each([
  'Ada',
  'Jean-Luc',
  "O'Neil",
  'Søren',
  '明子',
  'José Miguel',
  'J.R.',
  'St.John',
  'M.Night',
  'Dr.No',
  'D.va',
  'Anne/Marie',
  '<3',
  'n@',
  'evil.example',
  'علي\u200f',
  'Ж',
  'x'.repeat(60),
])('accepts %s', (name) => {
  expect(checkFirstName(name)).toEqual({ value: name });
});

test('trims, and composes', () => {
  expect(checkFirstName('  Ada\n')).toEqual({ value: 'Ada' });
  expect(checkFirstName('Zoe\u0308')).toEqual({ value: 'Zoë' });
});

test('counts characters as a person does', () => {
  for (const sign of ['😀', '👍🏽', '👩‍👩‍👧‍👦', 'e\u0323\u0302', 'क्षि'])
    expect(checkFirstName(sign.repeat(60)), sign).toHaveProperty('value');
  expect(checkFirstName('x'.repeat(61))).toHaveProperty('fault');
});

test.each([undefined, null, 7, {}, '', '   ', '\u200b', '\u3164 \u2800', '\u00ad', ...UNSEEN])(
  'requires a name: %j',
  (input) => {
    expect(checkFirstName(input)).toEqual({ fault: { text: 'First Name is required.' } });
  },
);

test.each([
  'A\u0000da',
  'Ada\ufffe',
  'A\ud800',
  'Ada\r\nBcc: x',
  'A\u2028da',
  '\u202eadA',
  'Ada\u2066',
])('refuses what cannot be seen: %j', (name) => {
  expect(checkFirstName(name)).toHaveProperty('fault');
});

test.each([
  [{ 'custom:first_name': ' Ada ', given_name: 'Augusta', name: 'Countess Lovelace' }, 'Ada'],
  [{ 'custom:first_name': '', given_name: 'Augusta', name: 'Ada Lovelace' }, 'Augusta'],
  [{ given_name: '\u0301', name: 'Ada Lovelace' }, 'Ada'],
  [{ name: '  Ada   King ' }, 'Ada'],
  [{ name: '小明' }, '小明'],
  [{ name: ' ', given_name: 7, 'custom:first_name': null }, undefined],
  [{}, undefined],
])('the first name in the claims %j is %j', (claims, expected) => {
  expect(pickFirstName(claims)).toBe(expected);
});
