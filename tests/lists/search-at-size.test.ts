import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { LINK_SORTS } from '../../contract/links.ts';
import type { LinkCondition } from '../../server/catalog/links/queries.ts';
import { listLinks } from '../../server/catalog/listing/list-links.ts';
import { useSeed } from '../factories/use-seed.ts';
import { describeOnBothDatabases } from '../harness/on-both-databases.ts';
import { readPlans, recordStatements } from '../harness/read-plans.ts';
import { withDatabase } from '../harness/with-database.ts';

const COUNT = 6_000;
const NUMBERS = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(COUNT)})`;
const isRare = sql`i % 1000 = 7`;
const id = sql`cast(10000000 + i as text)`;
/** As people write: a database that reads all of it rather than an index has to be seen to. */
const TEXT = sql.lit('x'.repeat(1_000));
/** Every thousandth link is a file, has a price and a word of its own. */
const SEED = [
  sql`insert into link_id (id, owner_id, reserved_at) ${NUMBERS} select ${id}, 'ada', 0 from n`,
  sql`insert into link (id, owner_id, type, key, url, description, price_cents, unlocked, paused,
      version, created_at, updated_at)
    ${NUMBERS} select ${id}, 'ada', case when ${isRare} then 'file' else 'link' end,
      case when ${isRare} then 'public/' || i end,
      case when ${isRare} then null else 'https://example.com/' end, ${TEXT},
      case when ${isRare} then 777 else 100 + i % 7 end, 0, 0, 1, i / 10, i / 10 from n`,
  sql`insert into link_words (link_id, words)
    ${NUMBERS} select ${id}, case when i <= 3000 then ' early' else '' end ||
      case when ${isRare} then ' every seldom odd book ' else ' every book ' end
    from n`,
  // That few links hold the odd word is not known.
  sql`insert into search_word (word, links)
    values ('every', 5001), ('book', 5001), ('odd', 5001), ('early', 3000), ('seldom', 6)`,
];
const idOf = (number: number) => String(10_000_000 + number);
const RARE = [5, 4, 3, 2, 1, 0].map((thousand) => idOf(thousand * 1000 + 7));

const where = (
  column: LinkCondition['column'],
  operator: LinkCondition['operator'],
  value: string | number,
): LinkCondition => ({ column, operator, value });
const OWNER = where('owner_id', '=', 'ada');
const TYPE = where('type', '=', 'file');
const PRICES = [where('price_cents', '>=', 200), where('price_cents', '<=', 800)];

describeOnBothDatabases('a search among thousands of links', (database) => {
  const environment = useSeed(database, SEED);

  const readPage = (conditions: LinkCondition[], page: Parameters<typeof listLinks>[2]) =>
    withDatabase(environment, async (db) => {
      const { links, nextToken } = await listLinks(db, conditions, page);
      return { ids: links.map((link) => link.id), nextToken };
    });
  const plansOf = (conditions: LinkCondition[], page: Parameters<typeof listLinks>[2]) =>
    readPlans({ environment, database }, (db) => listLinks(db, conditions, page));

  test('finds a seldom word at once, beside words that every link holds', async () => {
    for (const search of ['seldom', 'every seldom', 'seldom book', 'book every seld']) {
      expect(await readPage([], { search })).toEqual({ ids: RARE, nextToken: null });
    }
    expect(await readPage([OWNER, TYPE, ...PRICES], { search: 'seldom' })).toEqual({
      ids: RARE,
      nextToken: null,
    });
  });

  test('says at once that no link holds a word', async () => {
    for (const search of ['never', 'every never book', 'every neve']) {
      expect(await readPage([], { search })).toEqual({ ids: [], nextToken: null });
    }
  });

  test('fills each page with a word that every link holds', async () => {
    const first = await readPage([], { search: 'every', limit: 3 });
    expect(first.ids).toEqual([6000, 5999, 5998].map(idOf));
    const { ids } = await readPage([], { search: 'every', limit: 2, nextToken: first.nextToken });
    expect(ids).toEqual([5997, 5996].map(idOf));
  });

  test('looks at two thousand links a page for words that are common alone, not together', async () => {
    const { ids, nextToken } = await readPage([TYPE], { search: 'book every' });
    expect([ids, nextToken]).toEqual([RARE, null]);
    const odd = await readPage([where('type', '!=', 'link')], { search: 'book every' });
    expect(odd.ids).toEqual(RARE.slice(0, 2));
    expect(odd.nextToken).not.toBeNull();
  });

  test('reads the words of two thousand links a page where the index knows one word alone', async () => {
    const first = await readPage([], { search: 'early odd' });
    expect(first.ids).toEqual([idOf(2007), idOf(1007)]);
    const { nextToken } = first;
    const second = await readPage([], { search: 'early odd', nextToken });
    expect(second).toEqual({ ids: [idOf(7)], nextToken: null });
  });

  test.each(['early odd', 'odd book'])(
    'reads the words of 250 links at once, so that others are answered meanwhile: %s',
    async (search) => {
      const statements = await withDatabase(environment, (db) =>
        recordStatements(db, (recorded) => listLinks(recorded, [], { search })),
      );
      const reading = statements.filter((text) => text.includes('octet_length'));
      expect(reading).toHaveLength(8);
    },
  );

  test.each(LINK_SORTS)('finds a range of prices of few links at once, %s first', async (sort) => {
    for (const keys of [[], [OWNER], [TYPE]]) {
      const { ids, nextToken } = await readPage([...keys, ...PRICES], { sort });
      const newestFirst = sort === 'newest' || sort === 'dearest';
      expect([ids, nextToken]).toEqual([newestFirst ? RARE : RARE.toReversed(), null]);
    }
  });

  test('reads a seldom word from the full-text index, whatever the order', async () => {
    for (const sort of LINK_SORTS) {
      for (const search of ['seldom', 'every seld']) {
        const plans = await plansOf([OWNER], { search, sort });
        expect(plans).toMatch(/link_text/);
        expect(plans).not.toMatch(
          /Seq Scan on link|SCAN link\b|SCAN link_words|link_newest|link_price/,
        );
      }
    }
  });

  test.each(LINK_SORTS)(
    'is read in the order of an index where no other knows, %s first',
    { tags: 'long' },
    async (sort) => {
      for (const keys of [[], [OWNER], [TYPE]]) {
        const { nextToken } = await readPage(keys, { sort, limit: 5 });
        const plans = await plansOf(keys, { sort, limit: 5, nextToken });
        expect(plans).toMatch(/created_at, ?id\) ?[<>]/);
        expect(plans).not.toMatch(/Seq Scan|SCAN link USING|Sort|TEMP B-TREE/);
      }
    },
  );
});
