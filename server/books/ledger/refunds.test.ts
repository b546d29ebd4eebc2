import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeOnSqliteFirst } from '../../../tests/harness/on-both-databases.ts';
import {
  createTestEnvironment,
  type TestEnvironment,
} from '../../../tests/harness/test-environment.ts';
import { withDatabase } from '../../../tests/harness/with-database.ts';
import { migrate } from '../../ground/database/migrate.ts';
import type { Database } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import {
  findWrongBalances,
  findWrongCosts,
  findWrongEntries,
  findWrongRefunds,
} from '../../money/payments/check-ledger.ts';
import { followPayment, type PaymentMovements } from './follow-payment.ts';
import { EntryConflictError } from './post-entry.ts';
import { RefundTooLargeError } from './record-refund.ts';
import { recordSale, type Sale, totalOf } from './record-sale.ts';

/**
 * What the provider does next: refund a part (in millionths) of what is left, fail a refund, or
 * report what the sale cost.
 */
const step = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ reports: 'cost' as const }) },
  { weight: 3, arbitrary: fc.record({ refunds: fc.integer({ min: 1, max: 1_000_000 }) }) },
  { weight: 1, arbitrary: fc.record({ fails: fc.nat() }) },
);
const sold = fc.integer({ min: 1, max: 99_999_999 }).chain((grossCents) =>
  fc.record({
    grossCents: fc.constant(grossCents),
    feeCents: fc.integer({ min: 0, max: grossCents }),
    costCents: fc.integer({ min: 0, max: grossCents }),
    taxCents: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: Math.ceil(grossCents / 3) })),
  }),
);

const CHECKS = [findWrongEntries, findWrongBalances, findWrongRefunds, findWrongCosts];

describeOnSqliteFirst('refunds of any sale', (database) => {
  let environment: TestEnvironment;
  beforeAll(async () => {
    environment = await createTestEnvironment({ database });
    await withDatabase(environment, migrate);
  });
  afterAll(() => environment.remove());

  test('in any parts, failing or not, keep price, fee, tax and cost to the cent', async () => {
    await withDatabase(environment, (db) =>
      fc.assert(
        fc.asyncProperty(
          sold,
          fc.array(step, { minLength: 1, maxLength: 8 }),
          fc.constantFrom('platform' as const, 'creator' as const),
          fc.boolean(),
          async ({ costCents, ...amounts }, steps, refundCost, isLate) => {
            const sale = await sell(db, amounts);
            const refunds: PaymentMovements['refunds'] = [];
            let isReported = !isLate;
            const follow = () =>
              followReport(db, sale, {
                costCents: isReported ? costCents : null,
                refunds,
                refundCost,
              });
            for (const next of [...steps, { refunds: 1_000_000 }, { reports: 'cost' as const }]) {
              if ('reports' in next) isReported = true;
              else take(next, refunds, totalOf(sale));
              await follow();
              await expectShares(db, sale, refunds);
            }
            const {
              platform_fee: fee,
              creator,
              processing_cost: cost,
              ...other
            } = await sums(db, sale);
            // Rounded once for each refund that failed, so never further off than their number.
            const failed = refunds.filter(({ state }) => state === 'failed').length;
            const borne = refundCost === 'creator' ? costCents : 0;
            expect(fee).toBe(0);
            expect(other.tax_payable ?? 0).toBe(0);
            expect(Math.abs((creator ?? 0) + borne)).toBeLessThanOrEqual(failed);
            expect((creator ?? 0) + (cost ?? 0) + costCents).toBe(0);
            await follow();
            expect(await sums(db, sale)).toMatchObject({ platform_fee: fee, creator });
            for (const check of CHECKS) {
              expect(await check(db)).toEqual([]);
            }
          },
        ),
        {
          numRuns: 40,
          // A refund whose cost is charged once it is reported, and which fails after that.
          examples: [
            [
              { grossCents: 1000, feeCents: 80, costCents: 59, taxCents: 0 },
              [{ refunds: 500_000 }, { reports: 'cost' }, { fails: 0 }],
              'creator',
              true,
            ],
          ],
        },
      ),
    );
  });

  test('and a dispute of the rest, lost, won or lost again, return the tax to the cent', async () => {
    const part = fc.integer({ min: 0, max: 999_999 });
    await withDatabase(environment, (db) =>
      fc.assert(
        fc.asyncProperty(sold, part, fc.nat({ max: 3 }), async (amounts, millionths, turns) => {
          const sale = await sell(db, amounts);
          const refundedCents = Math.floor((totalOf(sale) * millionths) / 1_000_000);
          const refunds = [
            { id: randomUUID(), amountCents: refundedCents, state: 'succeeded' as const },
          ].filter(({ amountCents }) => amountCents > 0);
          const report = { costCents: amounts.costCents, refunds, refundCost: 'platform' as const };
          await followReport(db, sale, report);
          const before = await sums(db, sale);
          const rest = totalOf(sale) - refundedCents;
          const dispute = { disputeId: `dp_${sale.purchaseId}`, feeCents: 0 };
          const disputeMovements: PaymentMovements['disputeMovements'] = [];
          for (let turn = 0; turn <= turns; turn += 1) {
            const isTaken = turn % 2 === 0;
            const amountCents = isTaken ? -rest : rest;
            disputeMovements.push({ ...dispute, id: `txn_${turn}`, amountCents });
            await followReport(db, sale, { ...report, disputeMovements });
            const held = await sums(db, sale);
            const { tax_payable: tax = 0, platform_fee: fee = 0, creator = 0 } = held;
            if (isTaken) expect([tax, creator + fee]).toEqual([0, 0]);
            else expect(held).toMatchObject(before);
          }
          for (const check of CHECKS) expect(await check(db)).toEqual([]);
        }),
        { numRuns: 25 },
      ),
    );
  });

  test('that exceed it together are refused, and nothing of them is booked', async () => {
    await withDatabase(environment, async (db) => {
      const sale = await sell(db, { grossCents: 1000, feeCents: 80 });
      const refunds = [600, 401].map((amountCents) => ({
        id: randomUUID(),
        amountCents,
        state: 'succeeded' as const,
      }));
      const follow = followReport(db, sale, { costCents: 59, refunds, refundCost: 'platform' });
      await expect(follow).rejects.toThrow(RefundTooLargeError);
      expect(await sums(db, sale)).toEqual({ provider: -1000, platform_fee: 80, creator: 920 });
    });
  });

  test('leave the sale as it is when it is booked again, and refuse it with other amounts', async () => {
    await withDatabase(environment, async (db) => {
      const sale = await sell(db, { grossCents: 1000, feeCents: 80 });
      const again = (change: Partial<Sale>) =>
        transaction(db, (trx) => recordSale(trx, { ...sale, ...change }, 2));
      expect(await again({})).toBe(false);
      await expect(again({ feeCents: 81 })).rejects.toThrow(EntryConflictError);
      expect(await sums(db, sale)).toEqual({ provider: -1000, platform_fee: 80, creator: 920 });
    });
  });
});

type Step = { refunds: number } | { fails: number };

/** Changes the provider's report by one step. */
function take(next: Step, refunds: PaymentMovements['refunds'], totalCents: number): void {
  if ('fails' in next) {
    const refund = refunds[next.fails % Math.max(1, refunds.length)];
    if (refund) refund.state = 'failed';
    return;
  }
  const left = totalCents - refunded(refunds);
  const amountCents = Math.ceil((left * next.refunds) / 1_000_000);
  if (amountCents > 0) refunds.push({ id: randomUUID(), amountCents, state: 'succeeded' });
}

function refunded(refunds: PaymentMovements['refunds']): number {
  return refunds
    .filter(({ state }) => state === 'succeeded')
    .reduce((sum, { amountCents }) => sum + amountCents, 0);
}

async function expectShares(
  db: Database,
  sale: Sale,
  refunds: PaymentMovements['refunds'],
): Promise<void> {
  const { provider, processing_cost: cost, ...held } = await sums(db, sale);
  const left = totalOf(sale) - refunded(refunds);
  const { creator = 0, platform_fee: fee = 0, tax_payable: tax = 0 } = held;
  expect((provider ?? 0) + (cost ?? 0) + creator + fee + tax).toBe(0);
  expect(Math.abs(tax - (sale.taxCents * left) / totalOf(sale))).toBeLessThanOrEqual(0.5);
  const exactFee = (sale.feeCents * (left - tax)) / sale.grossCents;
  expect(Math.abs((held.platform_fee ?? 0) - exactFee)).toBeLessThanOrEqual(0.5);
}

function followReport(
  db: Database,
  sale: Sale,
  report: {
    costCents: number | null;
    refunds: PaymentMovements['refunds'];
    refundCost: 'platform' | 'creator';
    disputeMovements?: PaymentMovements['disputeMovements'];
  },
): Promise<boolean> {
  const movements = {
    processingCostCents: report.costCents,
    refunds: report.refunds,
    disputeMovements: report.disputeMovements ?? [],
    claimedCents: 0,
  };
  return transaction(db, (trx) =>
    followPayment(
      trx,
      sale,
      movements,
      { refundCost: report.refundCost, disputeFee: 'platform' },
      Date.now(),
    ),
  );
}

/** A settled purchase of a link of its own, and its sale in the books. */
async function sell(
  db: Database,
  { grossCents, feeCents, taxCents = 0 }: Pick<Sale, 'grossCents' | 'feeCents'> & Partial<Sale>,
): Promise<Sale> {
  const id = randomUUID();
  const sale: Sale = {
    paymentIntentId: `pi_${id}`,
    purchaseId: id,
    linkId: id,
    sellerId: id,
    grossCents,
    feeCents,
    taxCents,
    currency: 'usd',
    mode: 'test',
    providerAccount: 'sandbox',
    soldAt: 1,
  };
  await db.insertInto('link_id').values({ id, owner_id: id, reserved_at: 1 }).execute();
  await db
    .insertInto('link')
    .values({
      id,
      owner_id: id,
      type: 'link',
      title: null,
      key: null,
      url: 'https://example.com/',
      price_cents: grossCents,
      unlocked: 0,
      paused: 0,
      size_bytes: null,
      media_type: null,
      content_version: 1,
      version: 1,
      created_at: 1,
      updated_at: 1,
      deleted_at: null,
      taken_down_at: null,
    })
    .execute();
  await db
    .insertInto('purchase')
    .values({
      id,
      payment_id: id,
      line: 1,
      link_id: id,
      content_version: 1,
      seller_id: id,
      buyer_id: null,
      claim_hash: id,
      price_cents: grossCents,
      fee_cents: feeCents,
      taxed: 1,
      tax_cents: taxCents,
      currency: 'usd',
      mode: 'test',
      provider_account: 'sandbox',
      buyer_email: null,
      state: 'settled',
      created_at: 1,
      expires_at: 1,
      settled_at: 1,
    })
    .execute();
  await transaction(db, (trx) => recordSale(trx, sale, 1));
  return sale;
}

async function sums(db: Database, sale: Sale): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('ledger_line')
    .innerJoin('ledger_entry', 'ledger_entry.id', 'ledger_line.entry_id')
    .where('ledger_entry.purchase_id', '=', sale.purchaseId)
    .groupBy('account')
    .select(({ fn }) => ['account', fn.sum<number | string>('amount_cents').as('cents')])
    .execute();
  return Object.fromEntries(rows.map(({ account, cents }) => [account, Number(cents)]));
}
