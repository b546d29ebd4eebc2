import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { LINK_SORTS } from '../../contract/links.ts';
import type { LinkCondition } from '../../server/catalog/links/queries.ts';
import { listLinks } from '../../server/catalog/listing/list-links.ts';
import type { Database } from '../../server/ground/database/tables.ts';
import { seedShop } from '../factories/seed-shop.ts';
import { SHOP_READS } from '../factories/shop-reads.ts';
import { useSeed } from '../factories/use-seed.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { measureCost, readPlans } from '../harness/read-plans.ts';
import { withDatabase } from '../harness/with-database.ts';

const COUNT = 5_000;
const NUMBERS = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(COUNT)})`;
/** Ids of eight digits; ten links a millisecond; every thousandth has a price of its own. */
const SEED = [
  sql`insert into link_id ${NUMBERS} select cast(10000000 + i as text), 'ada', 0 from n`,
  sql`insert into link (id, owner_id, type, title, key, url, price_cents, unlocked, paused, size_bytes,
    media_type, version, created_at, updated_at, deleted_at, taken_down_at)
    ${NUMBERS} select cast(10000000 + i as text), 'ada', 'link', null, null,
    'https://example.com/', case when i % 1000 = 7 then 777 else 100 end, 0, 0, null, null, 1,
    i / 10, i / 10, null, null from n`,
  // A flood that only its owner knows of, among the others by time and by price.
  sql`insert into link_id ${NUMBERS} select cast(20000000 + i as text), 'ada', 0 from n`,
  sql`insert into link (id, owner_id, type, url, price_cents, unlocked, paused, unlisted, version,
    created_at, updated_at)
    ${NUMBERS} select cast(20000000 + i as text), 'ada', 'link', 'https://example.com/',
    case when i % 1000 = 7 then 777 else 100 end, 0, 0, 1, 1, i / 10, i / 10 from n`,
];
const idOf = (number: number) => String(10_000_000 + number);
const unlistedIdOf = (number: number) => String(20_000_000 + number);

const where = (
  column: LinkCondition['column'],
  operator: LinkCondition['operator'],
  value: string | number,
): LinkCondition => ({ column, operator, value });
/** No index answers it. */
const SELDOM = where('price_cents', '!=', 100);

describeOnSqliteFirst('a list of thousands of links', (database) => {
  const environment = useSeed(database, SEED);

  const readPage = (
    conditions: LinkCondition[],
    page: Parameters<typeof listLinks>[2] = {},
    options?: Parameters<typeof listLinks>[3],
  ) => withDatabase(environment, (db) => listLinks(db, conditions, page, options));

  /** The ids of each page in turn, to the end. */
  async function readPages(
    conditions: LinkCondition[],
    limit?: number,
    options?: Parameters<typeof listLinks>[3] & { sort?: string },
  ): Promise<string[][]> {
    const pages: string[][] = [];
    let nextToken: string | null = null;
    do {
      const { sort } = options ?? {};
      const page = await readPage(conditions, { limit, nextToken, sort }, options);
      pages.push(page.links.map(({ id }) => id));
      nextToken = page.nextToken;
    } while (nextToken);
    return pages;
  }

  test('is looked through two thousand links a page when no index answers the filter', async () => {
    expect(await readPages([SELDOM])).toEqual([
      [idOf(4007), idOf(3007)],
      [idOf(2007), idOf(1007)],
      [idOf(7)],
    ]);
    expect(await readPages([where('type', '!=', 'link')])).toEqual([[], [], []]);
  });

  test('goes on after the last link of a page that is full', { tags: 'long' }, async () => {
    expect(await readPages([SELDOM], 1)).toEqual([
      [idOf(4007)],
      [idOf(3007)],
      [idOf(2007)],
      [idOf(1007)],
      [idOf(7)],
    ]);
    const [first = [], second = []] = await readPages([where('price_cents', '!=', 777)], 100);
    expect([first.at(-1), second[0]]).toEqual([idOf(4901), idOf(4900)]);
  });

  test('looks at the two thousand links of a time and an owner', async () => {
    const conditions = [SELDOM, where('owner_id', '=', 'ada'), where('created_at', '<', 300)];
    expect(await readPages(conditions)).toEqual([[idOf(2007), idOf(1007)], [idOf(7)]]);
  });

  test('finds one id at once, with whatever else is asked of it', async () => {
    const id = where('id', '=', idOf(7));
    expect(await readPages([id])).toEqual([[idOf(7)]]);
    expect(await readPages([id, SELDOM, where('owner_id', '=', 'ada')])).toEqual([[idOf(7)]]);
    expect(await readPages([id, where('price_cents', '=', 100)])).toEqual([[]]);
    expect(await readPages([id, where('created_at', '>', 0)])).toEqual([[]]);
  });

  test('begins and ends at the times that are asked for', async () => {
    const between = (low: LinkCondition['operator'], high: LinkCondition['operator']) =>
      readPage([where('created_at', low, 100), where('created_at', high, 102)], { limit: 100 });
    const timesOf = async (page: ReturnType<typeof readPage>) => [
      ...new Set((await page).links.map(({ created_at }) => created_at)),
    ];
    expect(await timesOf(between('>=', '<='))).toEqual([102, 101, 100]);
    expect(await timesOf(between('>', '<'))).toEqual([101]);
    expect(await timesOf(readPage([where('created_at', '=', 100)]))).toEqual([100]);
    const pages = await readPages([where('created_at', '<=', 2)], 10);
    expect(pages.map(({ length }) => length)).toEqual([10, 10, 9]);
  });

  test.each([
    ['without a filter', []],
    ['of an owner', [where('owner_id', '=', 'ada')]],
    ['of a time', [where('created_at', '<', 450), where('created_at', '>=', 10)]],
    ['of a price', [SELDOM]],
    ['of an owner, a time and a price', [SELDOM, where('owner_id', '=', 'ada')]],
    ['of all but one id', [where('id', '!=', idOf(7))]],
    ['of ids that begin alike', [where('id', 'begins-with', '1000000')]],
  ])(
    '%s is read in the order of an index, from where the page begins to its end',
    async (_what, conditions) => {
      const [nextToken, limit] = [Buffer.from(`400.${idOf(4005)}`).toString('base64url'), 10];
      const plans = await readPlans({ environment, database }, (db) =>
        listLinks(db, conditions, { nextToken, limit }),
      );
      expect(plans).toMatch(/created_at, ?id\) ?</);
      expect(plans).not.toMatch(/Seq Scan|SCAN link USING|Sort|TEMP B-TREE/);
    },
  );

  test('walks once to the end of what it looks at, not again for each link', async () => {
    const plans = await readPlans({ environment, database }, (db) => listLinks(db, [SELDOM], {}));
    expect(plans).toMatch(/CTE Scan on end_of_step|MATERIALIZE end_of_step/);
  });

  test.each(LINK_SORTS)(
    'holds the unlisted links too where they may be seen, each once, in order: %s',
    { tags: 'long' },
    async (sort) => {
      const options = { withUnlisted: true, sort };
      for (const conditions of [[SELDOM], [where('owner_id', '=', 'ada'), SELDOM]]) {
        for (const limit of [1, 3, 50]) {
          const found = (await readPages(conditions, limit, options)).flat();
          const isDescending = sort === 'newest' || sort === 'dearest';
          const numbers = [7, 1007, 2007, 3007, 4007];
          const inOrder = numbers.flatMap((number) => [idOf(number), unlistedIdOf(number)]);
          expect(found).toEqual(isDescending ? inOrder.toReversed() : inOrder);
        }
      }
    },
  );

  test('reads the unlisted links in the order of an index as well', async () => {
    const [nextToken, limit] = [Buffer.from(`400.${idOf(4005)}`).toString('base64url'), 10];
    for (const conditions of [[], [where('owner_id', '=', 'ada')], [where('type', '=', 'link')]]) {
      const plans = await readPlans({ environment, database }, (db) =>
        listLinks(db, conditions, { nextToken, limit }, { withUnlisted: true }),
      );
      expect(plans).toMatch(/created_at, ?id\) ?</);
      expect(plans).not.toMatch(/Seq Scan|SCAN link USING|Sort|TEMP B-TREE/);
    }
  });
});

/** With `PADLINK_SCALE=1000000`, what each read costs is printed beside a thousand links and sales. */
const SCALE = Number(process.env.PADLINK_SCALE ?? 0);
const SIZES = SCALE ? [1_000, SCALE] : [2_000];
const SEEDING_MS = 3 * 60 * 60 * 1000;

describeOnSqliteFirst('a shop', (database) => {
  const costsOfFew = new Map<string, number>();

  describe.each(SIZES)('of %i links and sales', (size) => {
    const environment = useSeed(database, seedShop(database, size), SEEDING_MS);

    test('is read by indexes, wherever somebody waits', async () => {
      for (const [what, read] of Object.entries(SHOP_READS)) {
        const plans = await readPlans({ environment, database }, read);
        expect(plans, what).not.toMatch(WHOLE_TABLE);
        if (SCALE) await printCost(what, read, plans);
      }
    });

    async function printCost(
      what: string,
      read: (db: Database) => Promise<unknown>,
      plans: string,
    ): Promise<void> {
      const cost = await measureCost({ environment, database }, read);
      const ofFew = costsOfFew.get(what) ?? cost;
      costsOfFew.set(what, ofFew);
      const figures = [ofFew, cost, cost / ofFew].map((figure) => figure.toFixed(1));
      const indexes = plans.matchAll(/(?:INDEX|using|Scan on) (\w+_\w+)/g);
      const names = [...new Set([...indexes].map(([, name]) => name))].join(', ');
      process.stdout.write(`| ${what} | ${figures.join(' | ')} | ${names} |\n`);
    }
  });
});

/** Of the tables that grow with links and sales. */
const WHOLE_TABLE =
  /(Seq Scan on|SCAN) (link|file|purchase|access_grant|grant_claim|ledger_|sales_in_time)\w*(?! USING)\b/;
