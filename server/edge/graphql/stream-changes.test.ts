import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { readOnce } from '../../ground/lib/batch-reads.ts';
import { type Change, createLocalChanges } from '../../ground/lib/changes.ts';
import { streamChanges } from './stream-changes.ts';

const change = (): Change => ({ kind: 'link-updated', id: '1a2b3c4d', ownerId: 'ada' });

afterEach(() => {
  vi.useRealTimers();
});

test('a thousand subscribers of a change leave the event loop to others between them', async () => {
  const changes = createLocalChanges();
  let readers = 0;
  const isWanted = () => true;
  const read = async () => ++readers;
  const items = Array.from({ length: 1_000 }, () =>
    streamChanges(changes, { isWanted, read }).next(),
  );
  await setImmediate();
  changes.publish(change());
  for (let round = 1; round <= 100; round++) {
    await setImmediate();
    expect(readers).toBeLessThanOrEqual(round + 1);
  }
  const numbers = (await Promise.all(items)).map(({ value }) => value);
  expect(numbers).toEqual(Array.from({ length: 1_000 }, (_, index) => index + 1));
});

test('what subscribers share of a change is read once, apart for each who may see something else', async () => {
  const read = vi.fn(async () => read.mock.calls.length);
  const [first, second] = [change(), change()];
  const results = [
    readOnce(first, 'for ada', read),
    readOnce(first, 'for ada', read),
    readOnce(first, 'for bob', read),
    readOnce(second, 'for ada', read),
  ];
  expect(await Promise.all(results)).toEqual([1, 1, 2, 3]);
});

test('a slow subscriber is given nothing that was read more than a second ago', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const read = vi.fn(async () => read.mock.calls.length);
  const slow = change();
  expect(await readOnce(slow, 'link', read)).toBe(1);
  vi.advanceTimersByTime(999);
  expect(await readOnce(slow, 'link', read)).toBe(1);
  vi.advanceTimersByTime(1);
  expect(await readOnce(slow, 'link', read)).toBe(2);
});
