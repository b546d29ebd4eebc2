import { expect, test } from 'vitest';
import { stampServiceWorker } from './built-web-app.ts';

test('the service worker of a build is another text than those of other builds', () => {
  const stamped = stampServiceWorker('work()', ['names', 'code']);
  expect(stamped).toBe(stampServiceWorker('work()', ['names', 'code']));
  expect(stamped).toMatch(/^work\(\)\n\/\/ Build [0-9a-f]{16}\n$/);
  for (const other of [
    ['names', 'code 2'],
    ['names 2', 'code'],
    ['namesc', 'ode'],
  ]) {
    expect(stampServiceWorker('work()', other)).not.toBe(stamped);
  }
});
