import { expect, test } from 'vitest';
import { PageCache } from '../../edge/pages/kept-pages.ts';
import { createCardKeeper } from '../../selling/sharing/card-routes.ts';
import { ByteBoundedMap } from './byte-bounded-map.ts';

const KB = 1024;
const MB = KB * KB;

test('what was used least lately goes when the bytes are too many', () => {
  const map = new ByteBoundedMap<string>(10 * KB);
  map.set('a', 'A', 4 * KB);
  map.set('b', 'B', 4 * KB);
  expect(map.get('a')).toBe('A');
  map.set('c', 'C', 4 * KB);
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual(['A', undefined, 'C']);
});

test('what is replaced or deleted makes room, and what is larger than all of it is not kept', () => {
  const map = new ByteBoundedMap<string>(10 * KB);
  for (let round = 0; round < 20; round += 1) map.set('a', 'A', 4 * KB);
  map.set('b', 'B', 4 * KB);
  expect(valuesOf(map)).toEqual(['A', 'B']);
  map.delete('a');
  map.set('c', 'C', 5 * KB);
  expect(valuesOf(map)).toEqual(['B', 'C']);
  map.set('d', 'D', 11 * KB);
  expect(valuesOf(map)).toEqual([]);
});

test('what is being made counts once it is there, and goes when that fails', async () => {
  const map = new ByteBoundedMap<string>(10 * KB);
  map.set('a', 'A', 6 * KB);
  const made = Promise.withResolvers<number>();
  map.setSoon('b', 'B', made.promise);
  map.setSoon('c', 'C', Promise.reject(new Error('not made')));
  expect(map.get('b')).toBe('B');
  made.resolve(6 * KB);
  await made.promise;
  await Promise.resolve();
  expect(valuesOf(map)).toEqual(['B']);
});

test('cards with covers are kept up to 24 MiB in all', async () => {
  const cards = createCardKeeper();
  for (let card = 0; card < 40; card += 1) {
    await cards.keep(String(card), 1, async () => Buffer.alloc(MB));
  }
  expect(cards.find('0', 1)).toBeUndefined();
  expect(cards.find('39', 1)).toBeDefined();
});

test('pages are kept up to 80 MiB in all, their compressed forms included', {
  tags: 'long',
}, () => {
  const pages = new PageCache();
  const page = { status: 200, headers: {}, route: null, version: 1, checkedAt: 0 };
  for (let number = 0; number < 100; number += 1) {
    pages.put(
      { path: `/p/${number}`, from: 'direct', language: 'en' },
      { ...page, body: Buffer.alloc(MB) },
    );
  }
  const kept = Array.from({ length: 100 }, (_, number) =>
    pages.get({ path: `/p/${number}`, from: 'direct', language: 'en' }),
  ).filter(Boolean);
  expect(kept.length).toBeGreaterThan(50);
  expect(kept.length).toBeLessThanOrEqual(64);
});

function valuesOf(map: ByteBoundedMap<string>): string[] {
  return [...map.entries()].map(([, value]) => value);
}
