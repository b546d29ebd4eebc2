import { expect, test } from 'vitest';
import { appendPage } from './append-page.ts';

test('what is on two pages of a list, because it moved meanwhile, is in the list once', () => {
  const before = [
    { id: 'a', price: 100 },
    { id: 'b', price: 200 },
  ];
  const next = [
    { id: 'c', price: 300 },
    { id: 'a', price: 400 },
  ];
  expect(appendPage(before, next)).toEqual([
    { id: 'a', price: 400 },
    { id: 'b', price: 200 },
    { id: 'c', price: 300 },
  ]);
});
