import { expect, test } from 'vitest';
import { checkFirstName, pickFirstName } from './first-name.ts';

test.each([
  'Ada',
  'Jean-Luc',
  "O'Neil",
  'Søren',
  '明子',
  'José Miguel',
  'J.R.',
  'Ж',
  'x'.repeat(60),
])('accepts %s', (name) => {
  expect(checkFirstName(name)).toEqual({ value: name });
});

test('trims', () => {
  expect(checkFirstName('  Ada\n')).toEqual({ value: 'Ada' });
});

test('counts characters, not code units', () => {
  expect(checkFirstName('😀'.repeat(60))).toHaveProperty('value');
  expect(checkFirstName('x'.repeat(61))).toHaveProperty('fault');
});

test.each([undefined, null, 7, {}, '', '   ', '\u200b', '\u3164 \u2800', '\u00ad'])(
  'requires a name: %j',
  (input) => {
    expect(checkFirstName(input)).toEqual({ fault: 'First Name is required.' });
  },
);

test.each(['A\u0000da', 'Ada\r\nBcc: x', 'A\u2028da', '\u202eadA', 'Ada\u2066'])(
  'refuses what cannot be seen: %j',
  (name) => {
    expect(checkFirstName(name)).toHaveProperty('fault');
  },
);

test.each([
  'http://evil.example',
  'Win at evil.example',
  'www.evil',
  'evil.example/prize',
  'ada@evil.example',
  '<b>Ada',
])('refuses %s, which a mail would make a link of', (name) => {
  expect(checkFirstName(name)).toHaveProperty('fault');
});

test.each([
  [{ 'custom:first_name': ' Ada ', given_name: 'Augusta', name: 'Countess Lovelace' }, 'Ada'],
  [{ 'custom:first_name': '', given_name: 'Augusta', name: 'Ada Lovelace' }, 'Augusta'],
  [{ given_name: 'see evil.example', name: 'Ada Lovelace' }, 'Ada'],
  [{ name: '  Ada   King ' }, 'Ada'],
  [{ name: '小明' }, '小明'],
  [{ name: ' ', given_name: 7, 'custom:first_name': null }, undefined],
  [{}, undefined],
])('the first name in the claims %j is %j', (claims, expected) => {
  expect(pickFirstName(claims)).toBe(expected);
});
