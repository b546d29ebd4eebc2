import { expect, test } from 'vitest';
import { toPoint } from './decimals.ts';

// As written in English and in German.
test.each([
  ['4.99', '4.99'],
  ['4,99', '4.99'],
  ['1,234.50', '1234.50'],
  ['1.234,50', '1234.50'],
  ['1,234,567.89', '1234567.89'],
  ['1.234.567,89', '1234567.89'],
  ['1,234', '1234'],
  ['0,5', '0.5'],
  ['0,125', '0.125'],
  ['1,234 ', '1234'],
  ['$1,234\r\n', '1234'],
  ['1,234 USD', '1234'],
  [',234', '234'],
  [',', '.'],
])('%s is pasted as %s', (pasted, taken) => {
  expect(toPoint(pasted)).toBe(taken);
});
