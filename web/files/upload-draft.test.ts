import { expect, test } from 'vitest';
import { completeUrl } from './upload-draft.ts';

test.each([
  ['example.com/course', 'https://example.com/course'],
  [' example.com ', 'https://example.com'],
  ['example.com:8443/a?b#c', 'https://example.com:8443/a?b#c'],
  ['bücher.example?id=1', 'https://bücher.example?id=1'],
])('an address without its scheme is completed: %j', (typed, completed) => {
  expect(completeUrl(typed)).toBe(completed);
});

test.each([
  'http://example.com/',
  'javascript:alert(1.5)',
  'mailto:me@example.com',
  'me@example.com',
  'no address',
  'localhost:3000',
])('what has a scheme, or is no address, stays as it is: %j', (typed) => {
  expect(completeUrl(typed)).toBe(typed);
});
