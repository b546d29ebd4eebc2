import { expect, test } from 'vitest';
import { pickFirstName } from './pick-first-name.ts';

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
