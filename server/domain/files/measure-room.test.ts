import { expect, test } from 'vitest';
import { measureRoom } from './measure-room.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

test.each([
  ['5 % of a small disk', { free: 10 * MIB, total: 100 * MIB }, 5 * MIB],
  ['5 % of 20 GiB', { free: 3 * GIB, total: 20 * GIB }, 2 * GIB],
  ['a GiB of a large disk', { free: 3 * GIB, total: 1024 * GIB }, 2 * GIB],
  ['more than there is', { free: MIB, total: 1024 * GIB }, MIB - GIB],
])('files are kept from %s', async (_part, space, room) => {
  expect(await measureRoom({ measureSpace: async () => space })).toBe(room);
});
