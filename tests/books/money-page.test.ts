import { beforeAll, expect, test } from 'vitest';
import { recordPayout } from '../../server/books/ledger/balance.ts';
import { postEntry } from '../../server/books/ledger/post-entry.ts';
import { transaction } from '../../server/ground/database/transaction.ts';
import {
  graphql,
  readUserId,
  sellFile,
  signUp,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { readPage } from '../harness/read-page.ts';
import { stepOverMidnight } from '../harness/step-over-midnight.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const PAGE = '/dashboard/money';
const HEAD = 'time,amount,cost,arrives,currency,mode,state,changed,bank_account,note,payout_id';
const DAY_MS = 24 * 60 * 60 * 1000;
const AHEAD_MS = stepOverMidnight();
const now = () => Date.now() + AHEAD_MS;
const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

describeOnSqliteFirst('the money page where the operator pays by hand', (database) => {
  const env = { PAYOUTS: 'manual', OPERATOR_NAME: 'Padlink & Sons', HOLD_DAYS: '9' };
  const app = useApp({ database, env, overrides: { now } });
  let seller: Person;

  beforeAll(async () => {
    seller = await signUp(app);
    const { id } = await sellFile(seller, { price: 1000 });
    for (const buyer of [createPerson(app), createPerson(app)]) {
      await payFor(buyer, id);
      await waitUntilUnlocked(buyer, id);
    }
  });

  test('says of every pending cent when it becomes available', async () => {
    const query = `{ getMoney { balance pending available reserved obstacle
      releases { availableOn amount sales } } }`;
    type Money = { releases: { availableOn: string }[] };
    const { getMoney: money } = await graphql<{ getMoney: Money }>(seller, query);
    expect(money).toMatchObject({
      balance: 1840,
      pending: 1840,
      available: 0,
      reserved: 0,
      obstacle: 'Payouts are made manually here; you do not need to request them.',
      // Two sales of one day are one release.
      releases: [{ amount: 1840, sales: 2 }],
    });
    const words = await readPage(seller, PAGE);
    const day = dayFormat.format(now() + 9 * DAY_MS);
    for (const text of [
      'The money of a sale is pending for 9 days',
      `$18.40 from 2 sales on ${day}`,
      'Padlink & Sons pays you what is available.',
      'No payouts yet.',
    ]) {
      expect(words).toContain(text);
    }
    expect(words).not.toContain('Get paid');
  });

  test('lists what was paid by hand, on the page and as a table in which nothing is a formula', async () => {
    const owner = { ownerId: await readUserId(seller), mode: 'test' as const };
    await earnLongAgo(owner.ownerId, 123_456_789);
    await withDatabase(app, (db) =>
      recordPayout(
        { db, now, holdMs: 9 * DAY_MS },
        { ...owner, amountCents: 5000, reference: '=1+1' },
      ),
    );
    const words = await readPage(seller, PAGE);
    for (const text of ['$1,234,536.29', 'Paid $50.00 Reference: =1+1']) {
      expect(words).toContain(text);
    }
    const table = await seller.fetch('/dashboard/payouts.csv');
    expect(table.headers.get('content-disposition')).toMatch(
      /^attachment; filename="padlink-payouts-\d{4}-\d\d-\d\d\.csv"$/,
    );
    const lines = (await table.text()).split('\r\n');
    const time = '[0-9-]{10}T[0-9:.]{12}Z';
    expect(lines).toEqual([
      HEAD,
      expect.stringMatching(
        `^(${time}),50\\.00,0\\.00,50\\.00,usd,test,paid,\\1,,Booked by hand,'=1\\+1$`,
      ),
      '',
    ]);
    const spread = await (await seller.fetch('/dashboard/payouts.csv?form=semicolon')).text();
    expect(spread.split('\r\n')[1]).toMatch(
      /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d);50,00;0,00;50,00;usd;test;paid;\1;;Booked by hand;'=1\+1$/,
    );
  });

  test('is each creator’s own', async () => {
    const other = await signUp(app);
    const words = await readPage(other, PAGE);
    expect(words).toContain('Your share of each sale is added here at once.');
    expect(words).not.toContain('$50.00');
    expect(await (await other.fetch('/dashboard/payouts.csv')).text()).toBe(`${HEAD}\r\n`);
    for (const path of [PAGE, '/dashboard/payouts.csv']) {
      const answer = await createPerson(app).fetch(path);
      expect(answer.headers.get('location')).toBe(`/login?next=${encodeURIComponent(path)}`);
    }
  });

  test('explains a balance below zero', async () => {
    const debtor = await signUp(app);
    await earnLongAgo(await readUserId(debtor), -500);
    const words = await readPage(debtor, PAGE);
    expect(words).toContain('−$5.00');
    expect(words).toContain('You do not have to pay anything');
  });

  /** What no hold reaches any more. */
  async function earnLongAgo(ownerId: string, amountCents: number): Promise<void> {
    const entry = {
      kind: 'write_off' as const,
      cause: `write_off:${ownerId}:${amountCents}`,
      mode: 'test' as const,
      providerAccount: 'operator',
      currency: 'usd',
      purchaseId: null,
      linkId: null,
    };
    const lines = [
      { account: 'creator' as const, ownerId, amountCents },
      { account: 'bad_debt' as const, amountCents: -amountCents },
    ];
    await withDatabase(app, (db) =>
      transaction(db, (trx) => postEntry(trx, { ...entry, soldAt: 1, lines }, now())),
    );
  }
});
