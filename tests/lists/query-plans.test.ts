import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { findBalance } from '../../server/books/ledger/balance.ts';
import { findLinkStatistics, listSellerDays } from '../../server/books/statistics/counts.ts';
import { listDeletedLinks } from '../../server/catalog/listing/list-deleted-links.ts';
import { listPurchases } from '../../server/delivery/buyers/list-purchases.ts';
import { findFinishedFile } from '../../server/files/queries.ts';
import type { Database } from '../../server/ground/database/tables.ts';
import { writePageToken } from '../../server/ground/lib/page-token.ts';
import { GUEST } from '../../server/ground/lib/viewer.ts';
import { findDoublePayments } from '../../server/money/payments/follow-settlement.ts';
import { receiptMails } from '../../server/notices/mails/receipts.ts';
import { announceVersion } from '../../server/notices/mails/version-notices.ts';
import { readOverview } from '../../server/office/back-office/read-overview.ts';
import { readSales } from '../../server/office/dashboard/sales-csv.ts';
import { listTakeDowns } from '../../server/office/moderation/list-take-downs.ts';
import { probeDatabase } from '../../server/running/health/routes.ts';
import { findFileRight, unlockedFiles } from '../../server/selling/access/file-access.ts';
import { listSales } from '../../server/selling/purchases/list-sales.ts';
import { refuseMixedModes } from '../../server/selling/purchases/modes.ts';
import { findLastCheckout, findPurchase } from '../../server/selling/purchases/queries.ts';
import { useSeed } from '../factories/use-seed.ts';
import { describeOnBothDatabases } from '../harness/on-both-databases.ts';
import { readPlans } from '../harness/read-plans.ts';
import { withDatabase } from '../harness/with-database.ts';

const NUMBERS = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 4000)`;
const PURCHASE = sql`(id, link_id, seller_id, buyer_id, claim_hash, price_cents, fee_cents, currency,
  mode, provider_account, payment_id, line, buyer_email, state, created_at, expires_at,
  settled_at)`;
const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = 100 * DAY_MS;

/** Many old sales of one creator, and many purchases of many visitors. */
const SEED = [
  sql`insert into link_id ${NUMBERS} select 'l' || i, 'ada', 0 from n`,
  sql`insert into link (id, owner_id, type, title, key, url, price_cents, unlocked, paused, size_bytes,
    media_type, version, created_at, updated_at, deleted_at, taken_down_at)
    ${NUMBERS} select 'l' || i, 'ada', 'file', null, 'public/' || i, null,
    100, 0, 0, 1, 'text/plain', 1, 0, 0, null, null from n`,
  sql`insert into file ${NUMBERS} select 'public/' || i, 'b' || i, 'ada', 'l' || i, 'a', 1,
    'text/plain', 0, 1, null, 1, null, null, null from n`,
  sql`insert into link_version ${NUMBERS} select 'l' || i, 1, null, 0, null from n`,
  sql`insert into link_file ${NUMBERS} select 'l' || i, 1, 0, 'public/' || i from n`,
  sql`insert into purchase ${PURCHASE} ${NUMBERS} select 'p' || i, 'l' || i, 'ada', 'buyer' || (i % 1000),
    'claim' || (i % 1000), 100, 10, 'usd', 'test', 'sandbox', 'y' || i, 1, 'buyer' || i || '@example.com',
    'settled', 0, 0, i from n`,
  sql`insert into payment (id, session_id, payment_intent_id)
    ${NUMBERS} select 'y' || i, 's' || i, 'pi' || i from n`,
  // One link that very many bought.
  sql`insert into purchase ${PURCHASE} ${NUMBERS} select 'q' || i, 'l1', 'ada', 'buyer' || (i % 1000),
    'claim' || (i % 1000), 100, 10, 'usd', 'test', 'sandbox', 'yq' || i, 1, 'buyer' || i || '@example.org',
    'settled', 0, 0, i from n`,
  sql`insert into purchase_part ${NUMBERS} select 'q' || i, 'l' || i, 1 from n`,
  sql`insert into access_grant (id, purchase_id, link_id, buyer_id, state, created_at, updated_at)
    ${NUMBERS} select 'g' || i, 'p' || i, 'l' || i, 'buyer' || (i % 1000), 'active', 0, 0 from n`,
  // One link with a new version, which its buyer wants to know of.
  sql`update link set content_version = 2 where id = 'l3'`,
  sql`insert into link_version values ('l3', 2, null, 0, null)`,
  sql`insert into link_file values ('l3', 2, 0, 'public/4')`,
  sql`update access_grant set wants_versions = 1 where id = 'g3'`,
  sql`insert into grant_claim (claim_hash, grant_id) ${NUMBERS} select 'claim' || (i % 1000), 'g' || i from n`,
  sql`insert into ledger_entry (id, kind, cause, mode, provider_account, currency, purchase_id,
      created_at, line_count)
    ${NUMBERS} select 'e' || i, 'sale', 'sale:' || i, 'test', 'sandbox', 'usd', 'p' || i, i, 1 from n`,
  sql`insert into ledger_line (entry_id, position, account, owner_id, amount_cents, sold_at, currency)
    ${NUMBERS} select 'e' || i, 0, 'creator', 'ada', 90, i, 'usd' from n`,
  sql`insert into provider_transaction (id, mode, provider_account, type, amount_cents, fee_cents,
      net_cents, currency, subject, cause, matched, state, entry_id, available_on, created_at,
      imported_at)
    ${NUMBERS} select 't' || i, 'test', 'sandbox', 'charge', 100, 0, 100, 'usd', 'sale', 'sale:' || i, 1,
      'explained', 'e' || i, i, i, i from n`,
  sql`insert into user_balance ${NUMBERS} select 'owner' || i, 'test', 0, 0, 0 from n`,
  sql`insert into user_balance values ('ada', 'test', 360000, 0, 0)`,
  sql`insert into sales_in_time ${NUMBERS} select 'ada', 'test', 86400000, i, 0, 90, 1, i from n`,
  sql`insert into sales_in_time ${NUMBERS} select 'owner' || i, 'test', 5000, 0, i, 90, 1, 0 from n`,
  sql`insert into reserve ${NUMBERS} select 'p' || i, 'owner' || i, 'test', 1, i from n`,
  sql`insert into link_statistics (link_id, views, checkouts, swept_checkouts, sales, refunds)
    ${NUMBERS} select 'l' || i, i, 0, 0, 0, 0 from n`,
  sql`insert into seller_day (owner_id, day, views, checkouts, swept_checkouts, sales, refunds,
    net_cents, returned_cents) ${NUMBERS} select 'seller' || (i % 40), i / 40, 1, 0, 0, 0, 0, 0, 0 from n`,
  sql`insert into imported_day select * from seller_day`,
  sql`insert into take_down (id, link_id, reason, words, taken_down_at, undone_at)
    ${NUMBERS} select 't' || i, 'l' || i, 'other', '', i, i from n`,
  // Of other creators, all of them deleted.
  sql`insert into link_id ${NUMBERS} select 'd' || i, 'eve' || (i % 10), 0 from n`,
  sql`insert into link (id, owner_id, type, url, price_cents, unlocked, paused, version, created_at,
    updated_at, deleted_at) ${NUMBERS} select 'd' || i, 'eve' || (i % 10), 'link', 'https://example.com/', 100,
    0, 0, 1, 0, 0, i from n`,
  sql`insert into job (id, kind, lane, payload, run_at, attempts, unended, locked_until, died_at, created_at)
    ${NUMBERS} select 'j' || i, 'send-receipt', 'mail', '{}', i, 0, 0, 0, case when i = 1 then 1 end, 0 from n`,
];

describeOnBothDatabases('money paths at size', (database) => {
  const environment = useSeed(database, SEED);

  const plansOf = (work: (db: Database) => Promise<unknown>) =>
    readPlans({ environment, database }, work);

  const WHOLE_TABLE = /Seq Scan|SCAN (?!held|both)/;

  test('the balance reads the sums of recent times, and the sales of a few seconds', async () => {
    const plans = await plansOf((db) =>
      findBalance(db, { ownerId: 'ada', mode: 'test', holdMs: 7 * 24 * 60 * 60 * 1000 }, NOW),
    );
    expect(plans).toMatch(/ledger_line_of_owner/);
    expect(plans).toMatch(/sold_at\s*>.+sold_at\s*</);
    expect(plans).toMatch(/number\s*>/);
    expect(plans).toMatch(/sales_in_time_unavailable/);
    expect(plans).not.toMatch(/Seq Scan|SCAN (?!held|own$|s$|sum_of_sales)/m);
  });

  test('the checkouts of a visitor are read from that visitor alone', async () => {
    const plans = await plansOf(async (db) => {
      const purchase = await findPurchase(db, 'q7');
      return findDoublePayments(db, purchase ?? expect.unreachable());
    });
    expect(plans).toMatch(/purchase_of_claim/);
    expect(plans).toMatch(/purchase_of_buyer/);
    expect(plans).not.toMatch(/purchase_of_version/);
    expect(plans).not.toMatch(WHOLE_TABLE);
  });

  test('what a visitor last tried to buy a link by is read from that visitor alone', async () => {
    const viewer = {
      ...GUEST,
      authority: 'creator' as const,
      creatorId: 'bob',
      user: {
        id: 'buyer7',
        email: 'bob@example.com',
        firstName: 'Bob',
        language: 'en' as const,
        sessionId: 'session7',
        signedInAt: 0,
        operates: false,
      },
      claimHash: 'claim9',
    };
    const plans = await plansOf((db) => findLastCheckout(db, viewer, 'l1'));
    expect(plans).toMatch(/purchase_of_claim/);
    expect(plans).toMatch(/purchase_of_buyer/);
    expect(plans).not.toMatch(WHOLE_TABLE);
  });

  test('the list of unlocked files reads the grants of the viewer alone', async () => {
    const viewer = {
      ...GUEST,
      authority: 'creator' as const,
      creatorId: 'bob',
      user: {
        id: 'buyer7',
        email: 'bob@example.com',
        firstName: 'Bob',
        language: 'en' as const,
        sessionId: 'session7',
        signedInAt: 0,
        operates: false,
      },
      claimHash: 'claim9',
    };
    const plans = await plansOf((db) => unlockedFiles(db, viewer, { after: null, limit: 100 }));
    expect(plans).toMatch(/access_grant_of_buyer/);
    expect(plans).toMatch(/grant_claim_key|grant_claim/);
    expect(plans).not.toMatch(WHOLE_TABLE);
    const files = await withDatabase(environment, (db) =>
      unlockedFiles(db, viewer, { after: null, limit: 100 }),
    );
    expect(files.map(({ key }) => key)).toEqual(
      ['1007', '1009', '2007', '2009', '3007', '3009', '7', '9'].map((id) => `public/${id}`),
    );
  });

  test('the right to a file that very many bought is read from the grants of the viewer', async () => {
    const file = await withDatabase(environment, (db) => findFinishedFile(db, 'public/1'));
    if (!file) throw new Error('The seed holds no such file');
    const viewer = { ...GUEST, authority: 'none' as const, claimHash: 'claim1' };
    const plans = await plansOf((db) => findFileRight({ db, viewer }, file));
    expect(plans).toMatch(/grant_claim_key|grant_claim/);
    expect(plans).not.toMatch(/purchase_of_version/);
    expect(plans).not.toMatch(WHOLE_TABLE);
    const found = await withDatabase(environment, (db) => findFileRight({ db, viewer }, file));
    expect(found).toEqual({ linkId: 'l1', right: { kind: 'grant', grantId: 'g1' } });
  });

  test('the numbers of the dashboard are read from their own rows alone', async () => {
    const plans = await plansOf(async (db) => {
      await listSellerDays(db, 'seller7', 90, NOW);
      await findLinkStatistics(db, ['l1', 'l2', 'l3']);
    });
    expect(plans).toMatch(/seller_day_key|seller_day_pkey|sqlite_autoindex_seller_day/);
    expect(plans).not.toMatch(WHOLE_TABLE);
  });

  test('the jobs that were given up are counted by an index of their own', async () => {
    const plans = await readPlans({ environment, database }, (db) => probeDatabase(db, 0));
    expect(plans).toContain('job_died_at');
  });

  test('a start looks for purchases of the other mode by an index', async () => {
    const plans = await plansOf((db) => refuseMixedModes(db, 'test'));
    expect(plans).toMatch(/purchase_of_mode/);
    expect(plans).not.toMatch(/Sort|TEMP B-TREE/);
  });

  test('the take-downs of an account are read from its links that are taken down', async () => {
    const plans = await plansOf((db) => listTakeDowns(db, { ownerId: 'ada', token: null }));
    expect(plans).toMatch(/link_taken_down/);
  });

  test('objections that wait are read by an index of them', async () => {
    const plans = await plansOf((db) => listTakeDowns(db, { isWaiting: true, token: null }));
    expect(plans).toMatch(/take_down_waiting/);
  });

  test('the overview of operators adds up the days of a week alone', async () => {
    const store = {
      place: 'here',
      measureSpace: async () => ({ free: 1, total: 1 }),
      probe: async () => {},
    };
    const now = () => NOW;
    const plans = await plansOf((db) => readOverview({ db, store, mode: 'test', now }));
    expect(plans).toMatch(/seller_day_of_day/);
    expect(plans).not.toMatch(/(Seq Scan on|SCAN) seller_day/);
  });

  test('deleted links are read in the order of an index of their owner', async () => {
    const nextToken = Buffer.from('deleted.2000.0000abcd').toString('base64url');
    const plans = await plansOf((db) => listDeletedLinks(db, 'eve7', { limit: 10, nextToken }));
    expect(plans).toMatch(/link_deleted_of_owner/);
    expect(plans).not.toMatch(WHOLE_TABLE);
    expect(plans).not.toMatch(/Sort|TEMP B-TREE/);
  });

  test('the table of sales is read in the order of an index of their seller', async () => {
    const plans = await plansOf((db) => readSales(db, 'ada', NOW).next());
    expect(plans).toMatch(/purchase_of_seller/);
    expect(plans).not.toMatch(/Seq Scan on purchase\b|SCAN purchase\b|TEMP B-TREE/);
  });

  const id = '00000000-0000-0000-0000-000000000000';
  test.each([
    { sort: 'newest', values: [2000], index: /purchase_of_seller/ },
    { sort: 'oldest', values: [2000], index: /purchase_of_seller/ },
    {
      sort: 'dearest',
      values: [100, 2000],
      index: /purchase_dearest_of_seller/,
    },
  ] as const)(
    'the list of sales is read in the order of an index of its seller, $sort first',
    async ({ sort, values, index }) => {
      const first = await plansOf((db) => listSales(db, 'ada', { sort }));
      const next = await plansOf((db) =>
        listSales(db, 'ada', {
          sort,
          token: writePageToken(`sales.${sort}`, { values: [...values], id }),
        }),
      );
      for (const plans of [first, next]) {
        expect(plans).toMatch(index);
        expect(plans).not.toMatch(/Seq Scan on purchase|SCAN purchase|Sort|TEMP B-TREE/);
      }
    },
  );

  test('the list of purchases is read from the grants of the viewer alone', async () => {
    const viewer = { ...GUEST, authority: 'none' as const, claimHash: 'claim7' };
    const plans = await plansOf((db) => listPurchases({ db, viewer }, null));
    expect(plans).toMatch(/grant_claim/);
    expect(plans).not.toMatch(WHOLE_TABLE);
    const { purchases } = await withDatabase(environment, (db) =>
      listPurchases({ db, viewer }, null),
    );
    expect(purchases.map(({ id }) => id)).toEqual(['p3007', 'p2007', 'p1007', 'p7']);
  });

  test('the purchases of an address are found by an index of it', async () => {
    const context = { now: () => NOW, links: { purchases: () => '' } };
    const gather = receiptMails['send-purchases'];
    const plans = await plansOf((db) =>
      gather({ db, ...context } as never, { email: 'buyer7@example.com' }),
    );
    expect(plans).toMatch(/purchase_of_email/);
    expect(plans).not.toMatch(/Seq Scan on purchase|SCAN purchase/);
  });

  test('who is told of a new version is found without comparing every buyer with all others', async () => {
    const version = { linkId: 'l3', version: 2, after: '' };
    const plans = await plansOf((db) => announceVersion({ db, now: () => NOW }, version));
    // By the link where few bought it.
    expect(plans).toMatch(database === 'sqlite' ? /purchase_of_email/ : /purchase_of_version/);
    expect(plans).not.toMatch(WHOLE_TABLE);
  });
});
