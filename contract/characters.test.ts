import { expect, test } from 'vitest';
import { cutCharacters, fitUnits, holdsAddress, isBlank, isLongerThan } from './characters.ts';

test.each([
  ['letters', 'x'],
  ['an emoji of two units', '🎸'],
  ['an emoji with a modifier', '👍🏽'],
  ['an emoji of seven code points', '👩‍👩‍👧‍👦'],
  ['the flag of a country', '🇺🇸'],
  ['a composed letter', '\u00e9'],
  ['the same letter, decomposed', 'e\u0301'],
  ['a Hangul syllable in its parts', '\u1112\u1161\u11ab'],
])('a limit counts %s as one character', (_what, sign) => {
  expect(isLongerThan(sign.repeat(60), 60)).toBe(false);
  expect(isLongerThan(sign.repeat(61), 60)).toBe(true);
  expect(cutCharacters(sign.repeat(70), 60)).toBe(sign.repeat(60));
  expect(cutCharacters(sign.repeat(60), 60)).toBe(sign.repeat(60));
});

test('marks without end are too long, however few letters they are on', () => {
  expect(isLongerThan(`a${'\u0301'.repeat(1_499)}`, 60)).toBe(false);
  expect(isLongerThan(`a${'\u0301'.repeat(1_500)}`, 60)).toBe(true);
  expect(isLongerThan('🎸'.repeat(2_000), 2_000)).toBe(false);
  expect(isLongerThan('👍🏽'.repeat(1_001), 2_000)).toBe(true);
});

test('what is cut to units ends with a whole character of Unicode', () => {
  expect(fitUnits('a🎸', 2)).toBe('a');
  expect(fitUnits('a🎸', 3)).toBe('a🎸');
});

test.each([
  ['space', ' \t\u00a0\u2003'],
  ['what has no width', '\u200b\u2060\ufeff'],
  ['fillers', '\u3164\uffa0\u115f\u2800'],
  ['controls', '\u0000\u0007\u0085'],
  ['marks alone', '\u0301\u20dd\u093e'],
  ['what is no character', '\ufffe\ufdd0\u{10ffff}'],
  ['half of a pair', '\ud800'],
])('nothing is seen of %s', (_what, text) => {
  expect(isBlank(text)).toBe(true);
  expect(isBlank(`${text}a`)).toBe(false);
});

test.each(['é', 'e\u0301', '!', '明', '👍🏽', '\u{e000}'])('%j is seen', (text) => {
  expect(isBlank(text)).toBe(false);
});

test.each([
  ['evil.example', true],
  ['see http://a', true],
  ['www.evil', true],
  ['Dr.No', true],
  ['Anne/Marie', false],
  ['J. R.', false],
  ['<3', false],
])('whether mail programs make a link of %j: %s', (text, linked) => {
  expect(holdsAddress(text)).toBe(linked);
});
