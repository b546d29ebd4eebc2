import { expect, test } from 'vitest';
import { measureRoom } from './admit-upload.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

test.each([
  ['5% of a small disk', { free: 10 * MIB, total: 100 * MIB }, 5 * MIB],
  ['5% of 5 GiB', { free: GIB, total: 5 * GIB }, GIB - 256 * MIB],
  ['256 MiB of a large disk', { free: 3 * GIB, total: 1024 * GIB }, 3 * GIB - 256 * MIB],
  ['a laptop that is nearly full', { free: 900 * MIB, total: 500 * GIB }, 644 * MIB],
  ['what the operator wants free', { free: 3 * GIB, total: 10 * GIB, minFree: 2 * GIB }, GIB],
  ['all of a disk for files alone', { free: MIB, total: GIB, minFree: 0 }, MIB],
  ['more than there is', { free: MIB, total: 1024 * GIB }, MIB - 256 * MIB],
])('files are kept from %s', async (_part, space, room) => {
  expect(await measureRoom({ measureSpace: async () => space })).toBe(room);
});
