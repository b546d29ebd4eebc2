import { expect, test } from 'vitest';
import { checkFirstName } from './check-first-name.ts';

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

test.each([undefined, null, 7, {}, '', '   '])('requires a name: %s', (input) => {
  expect(checkFirstName(input)).toEqual({ fault: 'First Name is required.' });
});

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
