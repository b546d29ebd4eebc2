import { expect, test } from 'vitest';
import { createSpeedometer } from './running-upload.ts';

test('a speed is read once a second and follows a sudden change only slowly', () => {
  const read = createSpeedometer();
  expect(read(0, 0)).toBeNull();
  expect(read(400, 400)).toBeNull();
  expect(read(1000, 1000)).toBe(1000);
  expect(read(9000, 1900)).toBe(1000);
  expect(read(10_000, 2000)).toBe(5000);
  expect(read(10_000, 10_000)).toBe(0);
});
