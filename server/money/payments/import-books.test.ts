import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeOnSqliteFirst } from '../../../tests/harness/on-both-databases.ts';
import {
  createTestEnvironment,
  type TestEnvironment,
} from '../../../tests/harness/test-environment.ts';
import { withDatabase } from '../../../tests/harness/with-database.ts';
import { type Entry, type Line, postEntry } from '../../books/ledger/post-entry.ts';
import {
  clearTransaction,
  type ProviderTransaction,
} from '../../books/ledger/record-transaction.ts';
import { migrate } from '../../ground/database/migrate.ts';
import type { Database } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import type { CardProvider } from '../../selling/purchases/card-provider.ts';
import { findWrongEntries } from './check-ledger.ts';
import { findWrongProviderBooks, listInTransit } from './check-provider-books.ts';
import { compareBalances } from './compare-balances.ts';
import { type ImportContext, importBooks } from './import-books.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Dollars become euros at this rate, and the cents of no amount come out even. */
const RATE = 0.9137;

/** One thing that happens at the provider, and whether our books hear of it: before, after, never. */
const happening = fc.record({
  kind: fc.constantFrom('sale', 'refund', 'failing refund', 'dispute', 'fee', 'payout', 'riddle'),
  cents: fc.integer({ min: 1, max: 99_999 }),
  heard: fc.constantFrom('before', 'after', 'never'),
});

describeOnSqliteFirst("the provider's books", (database) => {
  let environment: TestEnvironment;
  beforeAll(async () => {
    environment = await createTestEnvironment({ database });
    await withDatabase(environment, migrate);
  });
  afterAll(() => environment.remove());

  const read = <Result>(work: (db: Database) => Promise<Result>) => withDatabase(environment, work);

  test.each(['usd', 'eur'])(
    'in %s: the account provider is what the provider holds, whatever comes when',
    async (currency) => {
      await read((db) =>
        fc.assert(
          fc.asyncProperty(
            fc.array(happening, { minLength: 1, maxLength: 8 }),
            async (happenings) => {
              const books = openBooks(db, currency);
              for (const { kind, cents, heard } of happenings) {
                const { moved, entries } = books.happen(kind, cents);
                if (heard === 'before') for (const entry of entries) await books.hear(entry);
                await books.import(moved);
                await books.expectEqual();
                if (heard === 'after') {
                  for (const entry of entries) await books.hear(entry);
                  await books.expectEqual();
                  await books.import([]);
                  await books.expectEqual();
                }
              }
            },
          ),
          { numRuns: 5 },
        ),
      );
    },
  );

  test.each([
    ['stripe_fee', -250, 0, { provider_fee: -250 }],
    ['payout', -5000, 0, { bank: -5000 }],
    ['payout', -5000, 50, { bank: -5000, provider_fee: -50 }],
    ['payout_failure', 5000, 0, { bank: 5000 }],
    ['transfer', -700, 0, { payout_in_transit: -700 }],
    ['transfer_refund', 700, 0, { payout_in_transit: 700 }],
    ['reserve_transaction', -300, 0, { reserve: -300 }],
    ['reserve_release', 300, 0, { reserve: 300 }],
    ['topup', 900, 0, { bank: 900 }],
    ['adjustment', -11, 0, { suspense: -11 }],
    ['something_new', 12, 3, { suspense: 9 }],
  ])(
    'a %s of %i with a fee of %i goes to its account',
    async (type, amountCents, feeCents, accounts) => {
      await read(async (db) => {
        const books = openBooks(db, 'usd');
        await books.import([books.transaction({ type, amountCents, feeCents })]);
        expect(await books.accounts()).toEqual({ provider: feeCents - amountCents, ...accounts });
      });
    },
  );

  test('are imported once, from where they were left, and again a little before that', async () => {
    await read(async (db) => {
      const books = openBooks(db, 'usd');
      const sale = books.happen('sale', 1000);
      for (const entry of sale.entries) await books.hear(entry);
      expect(await books.import(sale.moved)).toBe(1);
      expect(await books.import(sale.moved)).toBe(0);
      expect(books.asked).toEqual([0, Date.UTC(2026, 0, 1) - 3 * 60 * 60 * 1000]);
      const all = [sale, books.happen('payout', 400)].flatMap(({ moved }) => moved);
      await Promise.all([books.import(all), books.import(all)]);
      expect(await books.accounts()).toMatchObject({ provider: -541, bank: -400 });
    });
  });

  test.each([
    ['the refund', 'known', 1],
    ['the refund', 'unknown', 1],
    ['its end', 'known', -1],
    ['its end', 'unknown', -1],
  ])(
    'wait for nothing after a refund that failed unheard, if %s comes first, of a payment that is %s',
    async (_first, payment, order) => {
      await read(async (db) => {
        const books = openBooks(db, 'usd');
        const { moved } = books.happen('failing refund', 700);
        const paymentIntentId = `pi_${randomUUID()}`;
        const ofPayment = moved.map((one) => ({
          ...one,
          subject: { ...one.subject, paymentIntentId } as ProviderTransaction['subject'],
        }));
        if (payment === 'known') {
          const [sale] = books.happen('sale', 700).entries;
          if (sale) await books.hear({ ...sale, cause: `sale:${paymentIntentId}` });
        }
        await books.import(order > 0 ? ofPayment : ofPayment.toReversed());
        books.clock += 2 * DAY_MS;
        await books.import([]);
        const open = await db
          .selectFrom('provider_transaction')
          .where(
            'id',
            'in',
            moved.map(({ id }) => id),
          )
          .where('state', '!=', 'explained')
          .selectAll()
          .execute();
        expect(open).toEqual([]);
        const { pending_refund = 0, suspense = 0 } = await books.accounts();
        expect({ pending_refund, suspense }).toEqual({ pending_refund: 0, suspense: 0 });
      });
    },
  );

  test('name after a day what no purchase explains, until it is cleared', async () => {
    await read(async (db) => {
      const books = openBooks(db, 'usd');
      const [riddle] = books.happen('sale', 1000).moved;
      await books.import(riddle ? [riddle] : []);
      expect(await books.accounts()).toEqual({ provider: -941, suspense: 941 });
      expect(await books.faults()).toEqual([]);
      books.clock += DAY_MS + 1;
      await books.import([]);
      expect(await books.faults()).toEqual([
        expect.stringMatching(/^Transaction \S+ \(charge, net 941 cents, usd\) is in suspense: /),
      ]);
      const clear = () =>
        transaction(db, (trx) => clearTransaction(trx, riddle?.id ?? '', books.clock));
      expect(await clear()).toBe(true);
      expect(await clear()).toBe(false);
      expect(await books.accounts()).toEqual({ provider: -941, suspense: 0, other_business: 941 });
      expect(await books.faults()).toEqual([]);
    });
  });

  test('name after a day what they do not show, and what they show otherwise', async () => {
    await read(async (db) => {
      const books = openBooks(db, 'usd');
      const sale = books.happen('sale', 1000);
      for (const entry of sale.entries) await books.hear(entry);
      await books.import([]);
      expect(await books.faults()).toEqual([]);
      books.clock += DAY_MS + 1;
      await books.import([]);
      expect(await books.faults()).toEqual([
        expect.stringMatching(
          /^Entry processing_cost:\S+ moved -59 cents \(usd\) that the provider/,
        ),
        expect.stringMatching(
          /^Entry sale:\S+ moved 1000 cents \(usd\) that the provider's books do/,
        ),
      ]);
      await books.import(sale.moved);
      expect(await books.faults()).toEqual([]);
      const id = sale.moved[0]?.id ?? '';
      const change = { net_cents: 940 };
      await db.updateTable('provider_transaction').set(change).where('id', '=', id).execute();
      expect(await books.faults()).toEqual([
        `Transaction ${id} moved 940 cents (usd) at the provider, and 941 in the books.`,
      ]);
    });
  });

  test('that differ from a sale in the amount leave the difference in suspense', async () => {
    await read(async (db) => {
      const books = openBooks(db, 'usd');
      const { moved, entries } = books.happen('sale', 1000);
      for (const entry of entries) await books.hear(entry);
      await books.import(moved.map((one) => ({ ...one, amountCents: 990, netCents: 931 })));
      expect(await books.accounts()).toMatchObject({ provider: -931, suspense: -10 });
      books.clock += DAY_MS + 1;
      await books.import([]);
      expect(await books.faults()).toHaveLength(1);
    });
  });

  test('are compared with a balance that moves in the meantime, and once more with one that differs', async () => {
    await read(async (db) => {
      // What waits on another account of the installation is nothing to this one.
      const other = openBooks(db, 'usd');
      for (const entry of other.happen('sale', 700).entries) await other.hear(entry);
      await other.import([]);
      const sell = (books: ReturnType<typeof openBooks>) => books.happen('sale', 1000).moved;
      const moving = openBooks(db, 'usd');
      expect(await moving.compare([sell(moving), sell(moving)])).toMatchObject({
        imported: 2,
        balances: [{ currency: 'usd', heldCents: 2 * 941, bookedCents: 2 * 941 }],
      });
      const wrong = openBooks(db, 'usd');
      const left = [sell(wrong), [], [], sell(wrong)];
      expect(await wrong.compare(left, 5)).toMatchObject({
        imported: 1,
        balances: [{ currency: 'usd', heldCents: 946, bookedCents: 941 }],
      });
      expect(left).toHaveLength(1);
      const restless = openBooks(db, 'usd');
      const always = Array.from({ length: 9 }, (_, index) =>
        [...Array(index + 1)].flatMap(() => sell(restless)),
      );
      expect((await restless.compare(always)).imported).toBe(1 + 2 + 3 + 4);
    });
  });
});

/** Books of an account of their own at a provider that reports whatever it is told to. */
function openBooks(db: Database, currency: string) {
  const account = `acct_${randomUUID()}`;
  const imported: ProviderTransaction[] = [];

  const books = {
    clock: Date.UTC(2026, 0, 1),
    asked: [] as number[],

    transaction(given: Partial<ProviderTransaction>): ProviderTransaction {
      const { amountCents = 0, feeCents = 0 } = given;
      return {
        id: `txn_${randomUUID()}`,
        type: 'adjustment',
        amountCents,
        feeCents,
        netCents: amountCents - feeCents,
        currency,
        exchangeRate: currency === 'usd' ? null : RATE,
        sourceId: null,
        subject: { kind: 'other' },
        availableOn: books.clock,
        createdAt: books.clock,
        ...given,
      };
    },

    /** What one happening moves at the provider, and what our books will say of it. */
    happen(kind: string, cents: number): { moved: ProviderTransaction[]; entries: Entry[] } {
      const paymentIntentId = `pi_${randomUUID()}`;
      const refundId = `re_${randomUUID()}`;
      const settled = (amount: number) => (currency === 'usd' ? amount : Math.round(amount * RATE));
      const say = (
        kindOf: Entry['kind'],
        cause: string,
        provider: number,
        other: Line['account'],
      ) => ({
        kind: kindOf,
        cause,
        mode: 'test' as const,
        providerAccount: account,
        currency: 'usd',
        purchaseId: null,
        linkId: null,
        soldAt: null,
        lines: [
          { account: 'provider' as const, amountCents: provider },
          { account: other, amountCents: -provider },
        ],
      });
      const cost = Math.round(cents * 0.029) + 30;
      switch (kind) {
        case 'sale':
          return {
            moved: [
              books.transaction({
                type: 'charge',
                amountCents: settled(cents),
                feeCents: settled(cost),
                subject: { kind: 'sale', paymentIntentId, purchaseId: null },
              }),
            ],
            entries: [
              say('sale', `sale:${paymentIntentId}`, -cents, 'platform_fee'),
              say('processing_cost', `processing_cost:${paymentIntentId}`, cost, 'processing_cost'),
            ],
          };
        case 'refund':
        case 'failing refund': {
          const refund = { refundId, paymentIntentId };
          const back = books.transaction({
            type: 'refund_failure',
            amountCents: settled(cents),
            subject: { kind: 'refund_reversal', ...refund },
          });
          const fails = kind !== 'refund';
          return {
            moved: [
              books.transaction({
                type: 'refund',
                amountCents: -settled(cents),
                subject: { kind: 'refund', ...refund, state: fails ? 'failed' : 'succeeded' },
              }),
              ...(fails ? [back] : []),
            ],
            entries: [
              say('refund', `refund:${refundId}`, cents, 'platform_fee'),
              ...(fails
                ? [say('refund_reversal', `refund_reversal:${refundId}`, -cents, 'platform_fee')]
                : []),
            ],
          };
        }
        case 'dispute': {
          const disputeId = `du_${randomUUID()}`;
          const moved = books.transaction({
            amountCents: -settled(cents),
            feeCents: settled(1500),
            subject: { kind: 'dispute', disputeId, paymentIntentId },
          });
          const cause = `dispute:${disputeId}:${moved.id}`;
          return { moved: [moved], entries: [say('dispute', cause, cents + 1500, 'dispute_fee')] };
        }
        case 'fee':
          return {
            moved: [books.transaction({ type: 'stripe_fee', amountCents: -cents })],
            entries: [],
          };
        case 'payout':
          return {
            moved: [books.transaction({ type: 'payout', amountCents: -cents })],
            entries: [],
          };
        default:
          return { moved: [books.transaction({ amountCents: cents })], entries: [] };
      }
    },

    hear: (entry: Entry) => transaction(db, (trx) => postEntry(trx, entry, books.clock)),

    context(provider: Partial<CardProvider>): ImportContext {
      const atProvider = { mode: 'test', account: async () => account, ...provider };
      return {
        db,
        provider: atProvider as CardProvider,
        publicUrl: '',
        now: () => books.clock,
        costBearers: { refundCost: 'platform', disputeFee: 'platform' },
        warn(error) {
          throw error;
        },
      };
    },

    /** Imports what the provider reports now. @returns how many transactions are new */
    async import(moved: ProviderTransaction[]): Promise<number> {
      for (const one of moved) if (!imported.some(({ id }) => id === one.id)) imported.push(one);
      return importBooks(
        books.context({
          async *listTransactions(since) {
            books.asked.push(since);
            yield* moved;
          },
        }),
      );
    },

    /**
     * Compares the balance of a provider where this happens, one after the other, each time that
     * its balance is asked for and before it answers.
     */
    compare(happenings: ProviderTransaction[][], strayCents = 0) {
      const moved: ProviderTransaction[] = [];
      return compareBalances(
        books.context({
          async *listTransactions() {
            yield* moved;
          },
          async readBalance() {
            moved.push(...(happenings.shift() ?? []));
            return new Map([
              [currency, moved.reduce((sum, one) => sum + one.netCents, strayCents)],
            ]);
          },
        }),
      );
    },

    accounts: () => sumAccounts(db, account, currency),

    /** The faults of these books alone: others are in the same database. */
    async faults() {
      const ids = [account, ...imported.map(({ id }) => id)];
      const own = await db
        .selectFrom('ledger_entry')
        .where('provider_account', '=', account)
        .select('cause')
        .execute();
      ids.push(...own.map(({ cause }) => cause));
      const faults = await findWrongProviderBooks(db);
      return faults.filter((fault) => ids.some((id) => fault.includes(id)));
    },

    /** Every entry balances, and what is there and not at the provider is on its way. */
    async expectEqual() {
      expect(await findWrongEntries(db)).toEqual([]);
      expect(await books.faults()).toEqual([]);
      const held = imported.reduce((sum, { netCents }) => sum + netCents, 0);
      const ours = await db
        .selectFrom('ledger_entry')
        .where('provider_account', '=', account)
        .select('cause')
        .execute();
      const causes = new Set(ours.map(({ cause }) => cause));
      const onTheWay = (await listInTransit(db)).filter(({ cause }) => causes.has(cause));
      const sumIn = (of: string) =>
        onTheWay.reduce((sum, { cents, currency: is }) => sum + (is === of ? cents : 0), 0);
      const dollars = await sumAccounts(db, account, 'usd');
      const settled = await sumAccounts(db, account, currency);
      expect(held + sumIn(currency) + (settled.provider ?? 0)).toBe(0);
      if (currency !== 'usd') expect(sumIn('usd') + (dollars.provider ?? 0)).toBe(0);
    },
  };
  return books;
}

async function sumAccounts(
  db: Database,
  account: string,
  currency: string,
): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('ledger_line')
    .innerJoin('ledger_entry', 'ledger_entry.id', 'ledger_line.entry_id')
    .where('ledger_entry.provider_account', '=', account)
    .where('ledger_line.currency', '=', currency)
    .groupBy('account')
    .select(({ fn }) => ['account', fn.sum<number | string>('amount_cents').as('cents')])
    .execute();
  return Object.fromEntries(rows.map(({ account: name, cents }) => [name, Number(cents)]));
}
