import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { LINK_SORTS, type LinkSort } from '../../contract/links.ts';
import { createLink } from '../../server/catalog/links/create-link.ts';
import { deleteLink } from '../../server/catalog/links/delete-link.ts';
import { wordsToFind, wordsToIndex } from '../../server/catalog/links/index-words.ts';
import type { LinkCondition } from '../../server/catalog/links/queries.ts';
import type { Link } from '../../server/catalog/links/tables.ts';
import { updateLink } from '../../server/catalog/links/update-link.ts';
import { listLinks } from '../../server/catalog/listing/list-links.ts';
import { useSeed } from '../factories/use-seed.ts';
import { describeOnBothDatabases } from '../harness/on-both-databases.ts';
import { withDatabase } from '../harness/with-database.ts';

const WORDS = [
  'Pack',
  'packing',
  'Café',
  'CAFE',
  'straße',
  '日本語',
  '本',
  'Łódź',
  '🎸',
  'a',
  'x1',
];
const NOISE = [
  '',
  ' ',
  '"',
  "'",
  '*',
  ':*',
  ' OR ',
  '-',
  '%',
  '_',
  '\\',
  '\u0000',
  '(',
  '&',
  '\ud800',
];
const OWNERS = ['ada', 'bob'];
const PRICES = [100, 150, 300, 900];

const text = (parts: string[], maxLength: number) =>
  fc.array(fc.constantFrom(...parts), { maxLength }).map((chosen) => chosen.join(' '));
const searches = fc
  .tuple(text([...WORDS, ...NOISE, 'pac', 'caf', 'str', 'never'], 4), fc.constantFrom('', '*', ' '))
  .map((parts) => parts.join(''));
const titles = text([...WORDS, '-', '!'], 5);

/** What a search means, read plainly. */
function holds(link: Link, search: string): boolean {
  const held = wordsToIndex([link.title ?? '']);
  const words = wordsToFind(search);
  if (words.length === 0 && search.trim() !== '') return false;
  const lastOfAll = words.pop() ?? '';
  const whole = [...new Set(words)].slice(0, 8);
  const last = whole.length < 8 ? lastOfAll : '';
  return (
    whole.every((word) => held.includes(word)) &&
    (last === '' || held.some((word) => word.startsWith(last)))
  );
}

type Compare = (one: Link, other: Link) => number;
const byTime: Compare = (one, other) =>
  one.created_at - other.created_at || (one.id < other.id ? -1 : 1);
const byPrice: Compare = (one, other) => one.price_cents - other.price_cents || byTime(one, other);
const ORDERS: Record<LinkSort, Compare> = {
  newest: (one, other) => byTime(other, one),
  oldest: byTime,
  cheapest: byPrice,
  dearest: (one, other) => byPrice(other, one),
};

describeOnBothDatabases('a list that is searched, filtered and sorted', (database) => {
  const environment = useSeed(database, []);
  const links: Link[] = [];

  beforeAll(async () => {
    await withDatabase(environment, async (db) => {
      const samples = fc.sample(
        fc.tuple(titles, fc.constantFrom(...OWNERS), fc.constantFrom(...PRICES), fc.nat(9)),
        { seed: 7, numRuns: 40 },
      );
      for (const [title, owner, price, now] of samples) {
        const context = { db, minimumPriceCents: 1, providerMinimumCents: 1, now: () => now };
        const input = { ownerId: owner, type: 'link', url: 'https://secret.example/', price };
        const { id } = await createLink(context, { ...input, title: 'packing never' });
        const author = { kind: 'creator', userId: owner } as const;
        links.push(await updateLink(context, { author, id, title }));
      }
      const input = { type: 'link', url: 'https://secret.example/', price: 100 };
      const gone = await createLink(
        { db, minimumPriceCents: 1, providerMinimumCents: 1, now: () => 5 },
        { ownerId: 'ada', ...input, title: WORDS.join(' ') },
      );
      const author = { kind: 'creator', userId: 'ada' } as const;
      await deleteLink({ db, now: () => 6 }, { author, id: gone.id });
    });
  });

  test('answers as a plain reading of all links does, page by page, for any words', async () => {
    await withDatabase(environment, async (db) => {
      const counts = await db.selectFrom('search_word').selectAll().execute();
      await fc.assert(
        fc.asyncProperty(
          searches,
          fc.constantFrom(...LINK_SORTS),
          fc.option(fc.constantFrom(...OWNERS)),
          fc.option(fc.tuple(fc.constantFrom(...PRICES), fc.constantFrom(...PRICES))),
          fc.integer({ min: 1, max: 20 }),
          fc.subarray(counts.map(({ word }) => word)),
          async (search, sort, owner, prices, limit, common) => {
            // Words of too many links to be read each are found in another way.
            const isCommon = sql<boolean>`word in (${sql.join(['', ...common])})`;
            await db
              .updateTable('search_word')
              .set({ links: sql`case when ${isCommon} then 5001 else 40 end` })
              .execute();
            const conditions: LinkCondition[] = [];
            if (owner) conditions.push({ column: 'owner_id', operator: '=', value: owner });
            if (prices) {
              const [low, high] = prices;
              conditions.push({ column: 'price_cents', operator: '>=', value: low });
              conditions.push({ column: 'price_cents', operator: '<=', value: high });
            }
            const found: string[] = [];
            let nextToken: string | null = null;
            do {
              const page = await listLinks(db, conditions, { search, sort, limit, nextToken });
              expect(page.links.length).toBeLessThanOrEqual(limit);
              found.push(...page.links.map(({ id }) => id));
              nextToken = page.nextToken;
            } while (nextToken);
            const expected = links
              .filter((link) => holds(link, search))
              .filter((link) => !owner || link.owner_id === owner)
              .filter(
                ({ price_cents: price }) => !prices || (price >= prices[0] && price <= prices[1]),
              )
              .sort(ORDERS[sort])
              .map(({ id }) => id);
            expect(found).toEqual(expected);
          },
        ),
        { numRuns: 100 },
      );
    });
  });
});
