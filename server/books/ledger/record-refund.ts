import type { Database, DatabaseTransaction } from '../../ground/database/tables.ts';
import type { Entry } from './post-entry.ts';
import { postSaleEntry, type Sale, taxLines, totalOf } from './record-sale.ts';
import { selectLines } from './select-lines.ts';

interface Refund {
  id: string;
  amountCents: number;
  /** What the provider kept of the sale for processing, to be borne by the creator; else 0. */
  costCents: number;
}

/** The provider returned more than was sold: never booked automatically. */
export class RefundTooLargeError extends Error {
  override name = 'RefundTooLargeError';
}

/**
 * Books a refund: the creator gives back the net, the platform the fee, and the tax is owed no
 * more, in proportion to all that was refunded so far, so that after a full refund nobody keeps a
 * cent.
 * @throws RefundTooLargeError when all refunds together exceed the sale
 */
export async function recordRefund(
  trx: DatabaseTransaction,
  sale: Sale,
  refund: Refund,
  now: number,
): Promise<void> {
  const before = await findRefundedCents(trx, sale.purchaseId);
  const after = before + refund.amountCents;
  if (after > totalOf(sale)) {
    throw new RefundTooLargeError(
      `Refund ${refund.id} of purchase ${sale.purchaseId} makes ${after} of ${totalOf(sale)} cents`,
    );
  }
  const cost = costOf(sale, refund.costCents, before, after);
  const lines = linesOf(sale, before, after, cost);
  await postSaleEntry(trx, sale, now, { kind: 'refund', cause: refundCause(refund.id), lines });
}

/** Takes a booked refund back that failed later: what it charged the creator comes back too. */
export async function reverseRefund(
  trx: DatabaseTransaction,
  sale: Sale,
  refund: Omit<Refund, 'costCents'>,
  now: number,
): Promise<void> {
  const before = await findRefundedCents(trx, sale.purchaseId);
  const after = before - refund.amountCents;
  const charged = await findChargedCost(trx, sale.purchaseId, refund.id);
  const cause = refundReversalCause(refund.id);
  const lines = linesOf(sale, before, after, -charged);
  await postSaleEntry(trx, sale, now, { kind: 'refund_reversal', cause, lines });
}

/**
 * Charges what the provider kept of a sale to its creator, for refunds that were booked before it
 * was known: each bears the share that it would have borne then.
 * @param refunds those that stand, oldest first
 * @param costCents what the creator has to bear of a full refund
 * @returns whether anything was charged
 */
export async function chargeRefundCosts(
  trx: DatabaseTransaction,
  sale: Sale,
  refunds: Pick<Refund, 'id' | 'amountCents'>[],
  costCents: number,
  now: number,
): Promise<boolean> {
  let after = 0;
  let charged = 0;
  for (const { id, amountCents } of refunds) {
    const before = after;
    after += amountCents;
    const cost = costOf(sale, costCents, before, after);
    if (cost === 0) continue;
    const lines = costLines(sale, cost);
    await postSaleEntry(trx, sale, now, { kind: 'refund_cost', cause: refundCostCause(id), lines });
    charged += cost;
  }
  return charged > 0;
}

/**
 * Who gives what back when refunds of a sale go from one running sum to the next: the platform its
 * fee, the creator the rest but for the tax, and what the provider kept of it for processing. Cents.
 */
export function splitRefund(sale: Sale, before: number, after: number, costCents: number) {
  return {
    taxCents: taxOf(sale, before, after),
    feeCents: feeOf(sale, before, after),
    creatorCents: returnedByCreator(sale, before, after),
    costCents: costOf(sale, costCents, before, after),
  };
}

/** From one running sum of refunds to the next; cents. */
function linesOf(sale: Sale, before: number, after: number, cost: number): Entry['lines'] {
  const moved = after - before;
  const tax = taxOf(sale, before, after);
  const fee = feeOf(sale, before, after);
  const creator = { account: 'creator', ownerId: sale.sellerId } as const;
  const lines: Entry['lines'] = [
    { account: 'provider', amountCents: moved },
    { account: 'platform_fee', amountCents: -fee },
    { ...creator, amountCents: tax + fee - moved },
    ...taxLines(-tax),
  ];
  return cost === 0 ? lines : [...lines, ...costLines(sale, cost)];
}

const costLines = (sale: Sale, cost: number): Entry['lines'] => [
  { account: 'processing_cost', amountCents: cost },
  { account: 'creator', ownerId: sale.sellerId, amountCents: -cost },
];

/** Cents that a creator gives back when refunds of a sale go from one running sum to the next. */
export const returnedByCreator = (sale: Sale, before: number, after: number) =>
  after - before - taxOf(sale, before, after) - feeOf(sale, before, after);

/** The tax's part of a refund from one running sum to the next; cents. */
export const taxOf = (sale: Sale, before: number, after: number) =>
  shareOf(sale.taxCents, after, totalOf(sale)) - shareOf(sale.taxCents, before, totalOf(sale));

/** The fee's part of a refund from one running sum to the next; cents. Of the tax there is none. */
function feeOf(sale: Sale, before: number, after: number): number {
  const { feeCents, grossCents } = sale;
  const share = (refunded: number) =>
    shareOf(feeCents, refunded - taxOf(sale, 0, refunded), grossCents);
  return share(after) - share(before);
}

/** The share of the cost from one running sum of refunds to the next; cents. */
const costOf = (sale: Sale, costCents: number, before: number, after: number) =>
  shareOf(costCents, after, totalOf(sale)) - shareOf(costCents, before, totalOf(sale));

async function findChargedCost(
  trx: DatabaseTransaction,
  purchaseId: string,
  refundId: string,
): Promise<number> {
  const lines = await selectLines(trx)
    .where('ledger_entry.purchase_id', '=', purchaseId)
    .where('ledger_entry.cause', 'in', [refundCause(refundId), refundCostCause(refundId)])
    .where('ledger_line.account', '=', 'processing_cost')
    .select('ledger_line.amount_cents')
    .execute();
  return lines.reduce((sum, line) => sum + line.amount_cents, 0);
}

export const refundCause = (refundId: string) => `refund:${refundId}`;
const refundCostCause = (refundId: string) => `refund_cost:${refundId}`;
export const refundReversalCause = (refundId: string) => `refund_reversal:${refundId}`;

/** Cents of a purchase that are refunded by the books: refunds less those that failed later. */
export async function findRefundedCents(db: Database, purchaseId: string): Promise<number> {
  const { cents } = await selectLines(db)
    .where('ledger_entry.purchase_id', '=', purchaseId)
    .where('ledger_entry.kind', 'in', ['refund', 'refund_reversal'])
    .where('ledger_line.account', '=', 'provider')
    .select((select) => select.fn.sum<number | string | null>('amount_cents').as('cents'))
    .executeTakeFirstOrThrow();
  return Number(cents ?? 0);
}

/**
 * The part of an amount that belongs to `cents` of `total`, rounded half up: 0 for nothing and the
 * whole amount for all of it. Taken of running sums, its differences never lose or gain a cent.
 */
export function shareOf(amountCents: number, cents: number, total: number): number {
  const divisor = 2n * BigInt(total);
  return Number((2n * BigInt(amountCents) * BigInt(cents) + BigInt(total)) / divisor);
}
