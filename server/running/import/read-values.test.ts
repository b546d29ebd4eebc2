import { expect, test } from 'vitest';
import { readCents, readFlag, readTime } from './read-values.ts';

test.each([
  ['9.99', 999],
  ['9,99', 999],
  ['9.9', 990],
  ['0', 0],
  ['$5', 500],
  ['5,00 $', 500],
  ['1,234.50', 123_450],
  ['1.234,50', 123_450],
  ['1,234', null],
  ['9.999', null],
  ['-1', null],
  ['5 €', null],
  ['1e3', null],
  ['free', null],
  ['', null],
])('the amount %j is %j cents', (text, cents) => {
  expect(readCents(text)).toBe(cents);
});

test.each([
  ['2024-03-05', '2024-03-05T00:00:00.000Z'],
  ['2024-03-05 12:30:15 UTC', '2024-03-05T12:30:15.000Z'],
  ['2024-03-05T12:30:15.250Z', '2024-03-05T12:30:15.250Z'],
  ['2024-03-05 12:30:00 +0100', '2024-03-05T11:30:00.000Z'],
  ['2024-03-05 12:30', '2024-03-05T12:30:00.000Z'],
  ['5.3.2024', '2024-03-05T00:00:00.000Z'],
  ['29.02.2024', '2024-02-29T00:00:00.000Z'],
])('the time %j is %s', (text, iso) => {
  expect(new Date(readTime(text) ?? Number.NaN).toISOString()).toBe(iso);
});

test.each([
  '2024-02-30',
  '2023-02-29',
  '31.4.2024',
  '2024-13-01',
  '2024-03-05 25:00',
  '3/5/2024',
  '1969-12-31',
  'yesterday',
  '',
])('%j is no time', (text) => {
  expect(readTime(text)).toBeNull();
});

test.each([
  ['1', true],
  ['Yes', true],
  ['TRUE', true],
  ['0', false],
  ['no', false],
  ['', false],
  ['perhaps', null],
])('the answer %j is %j', (text, answer) => {
  expect(readFlag(text)).toBe(answer);
});
