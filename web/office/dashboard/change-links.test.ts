import { describe, expect, test } from 'vitest';
import { withChangedLink, withFreshPage, withNewLink, withoutLink } from './change-links.ts';

/** A link created on that day of the month. */
const link = (day: number, price = 100) => ({
  id: `0000000${day}`,
  createdAt: `2026-11-0${day}T00:00:00.000Z`,
  price,
});
const page = (days: number[], nextToken: string | null = null) => ({
  items: days.map((day) => link(day)),
  nextToken,
});

describe('a list of links on show', () => {
  test('begins with a new link, once however often it is told of', () => {
    const once = withNewLink(page([2, 1]), link(3));
    expect(once).toEqual(page([3, 2, 1]));
    expect(withNewLink(once, link(3))).toEqual(once);
  });

  test('shows a changed link in its place, and no link that was not there', () => {
    const { items } = withChangedLink(page([3, 2, 1]), link(2, 900));
    expect(items.map(({ price }) => price)).toEqual([100, 900, 100]);
    expect(withChangedLink(page([3]), link(1))).toEqual(page([3]));
  });

  test('loses a deleted link', () => {
    expect(withoutLink(page([3, 2, 1], 'more'), '00000002')).toEqual(page([3, 1], 'more'));
  });

  test('takes a fresh first page, and keeps the older pages that were loaded', () => {
    const shown = page([5, 4, 3, 2], 'after 2');
    expect(withFreshPage(shown, page([6, 5, 3], 'after 3'))).toEqual(page([6, 5, 3, 2], 'after 2'));
  });

  test('is the fresh page alone when that is the whole list or nothing older is on show', () => {
    expect(withFreshPage(page([3, 2, 1]), page([3, 1]))).toEqual(page([3, 1]));
    expect(withFreshPage(page([3, 2, 1]), page([]))).toEqual(page([]));
    expect(withFreshPage(page([]), page([6, 5], 'after 5'))).toEqual(page([6, 5], 'after 5'));
  });

  test('orders links of the same moment by their ids', () => {
    const twins = ['b', 'a'].map((id) => ({ ...link(1), id }));
    const [first] = twins;
    if (!first) throw new Error('There are two.');
    const fresh = { items: [first], nextToken: 'more' };
    expect(withFreshPage({ items: twins, nextToken: null }, fresh).items).toEqual(twins);
  });
});
