import { prepare } from '../../ground/database/prepare.ts';
import type { DatabaseTransaction } from '../../ground/database/tables.ts';
import {
  chargeRefundCosts,
  findRefundedCents,
  recordRefund,
  refundCause,
  refundReversalCause,
  returnedByCreator,
  reverseRefund,
  shareOf,
  taxOf,
} from './record-refund.ts';
import {
  postSaleEntry,
  processingCostCause,
  recordProcessingCost,
  type Sale,
  taxLines,
  totalOf,
} from './record-sale.ts';
import { moveWorth } from './sales-in-time.ts';
import { selectLines } from './select-lines.ts';

/** All money that moved after a sale, as the provider reports it now. */
export interface PaymentMovements {
  /** Null while the provider does not say. */
  processingCostCents: number | null;
  /** Oldest first. */
  refunds: { id: string; amountCents: number; state: 'pending' | 'succeeded' | 'failed' }[];
  disputeMovements: DisputeMovement[];
  /** What inquiries and disputes claim that took no money so far, cents. */
  claimedCents: number;
}

/** Who pays the provider: holds for what is booked while it is set. */
export interface CostBearers {
  /** For what it keeps of a refunded sale. */
  refundCost: 'platform' | 'creator';
  /** For its fee of a dispute. */
  disputeFee: 'platform' | 'creator';
}

/**
 * Books money that moved since a sale and is not booked yet, and reserves what may still be taken
 * back. The caller never runs two of these at
 * once for one sale: what a refund takes from whom depends on earlier ones.
 * @returns whether the creator's balance, or what is available of it, moved
 * @throws RefundTooLargeError when all refunds together exceed the sale
 */
export async function followPayment(
  trx: DatabaseTransaction,
  sale: Sale,
  movements: PaymentMovements,
  { refundCost, disputeFee }: CostBearers,
  now: number,
): Promise<boolean> {
  const { processingCostCents, refunds, disputeMovements } = movements;
  const booked = await findBookedCauses(trx, sale.purchaseId);
  const isNew = (cause: string) => !booked.has(cause);
  const failed = refunds.filter(
    ({ id, state }) =>
      state === 'failed' && !isNew(refundCause(id)) && isNew(refundReversalCause(id)),
  );
  const made = refunds.filter(({ id, state }) => state === 'succeeded' && isNew(refundCause(id)));
  const moved = disputeMovements.filter((movement) => isNew(disputeCause(movement)));
  const cost = isNew(processingCostCause(sale)) ? processingCostCents : null;
  const costCents = refundCost === 'creator' ? (processingCostCents ?? 0) : 0;

  for (const refund of failed) await reverseRefund(trx, sale, refund, now);
  let charged = false;
  if (cost !== null) {
    await recordProcessingCost(trx, sale, cost, now);
    const standing = refunds.filter(
      ({ id, state }) => state !== 'failed' && !isNew(refundCause(id)),
    );
    charged = await chargeRefundCosts(trx, sale, standing, costCents, now);
  }
  for (const refund of made) {
    await recordRefund(trx, sale, { ...refund, costCents }, now);
  }
  for (const movement of moved) {
    await recordDisputeMovement(trx, sale, movement, now);
    await moveDisputeFee(trx, sale, movement, disputeFee, now);
  }
  const reserved = await keepReserve(trx, sale, reserveOf(sale, movements));
  return charged || reserved || failed.length + made.length + moved.length > 0;
}

/** The creator's share of what refunds under way and claims may still take of a sale; cents. */
function reserveOf(
  sale: Sale,
  { refunds, disputeMovements, claimedCents }: PaymentMovements,
): number {
  const sum = (amounts: { amountCents: number }[]) =>
    amounts.reduce((total, { amountCents }) => total + amountCents, 0);
  const refunded = sum(refunds.filter(({ state }) => state === 'succeeded'));
  const pending = sum(refunds.filter(({ state }) => state === 'pending'));
  const left = totalOf(sale) - refunded + Math.min(0, sum(disputeMovements));
  const claimed = Math.max(0, Math.min(left, pending + claimedCents));
  return returnedByCreator(sale, refunded, refunded + claimed);
}

/** @returns whether the reserve of the sale changed */
async function keepReserve(
  trx: DatabaseTransaction,
  { purchaseId, sellerId, mode, soldAt }: Sale,
  cents: number,
): Promise<boolean> {
  const [kept] = await readReserve(trx, purchaseId);
  if ((kept?.amount_cents ?? 0) === cents) return false;
  await trx.deleteFrom('reserve').where('purchase_id', '=', purchaseId).execute();
  if (cents > 0) {
    await trx
      .insertInto('reserve')
      .values({
        purchase_id: purchaseId,
        owner_id: sellerId,
        mode,
        amount_cents: cents,
        sold_at: soldAt,
      })
      .execute();
  }
  const more = (kept?.amount_cents ?? 0) - cents;
  await moveWorth(trx, { purchaseId, ownerId: sellerId, mode, soldAt }, more);
  return true;
}

const readReserve = prepare((db, purchaseId: string) =>
  db.selectFrom('reserve').where('purchase_id', '=', purchaseId).select('amount_cents'),
);

async function findBookedCauses(
  trx: DatabaseTransaction,
  purchaseId: string,
): Promise<Set<string>> {
  const entries = await readCauses(trx, purchaseId);
  return new Set(entries.map(({ cause }) => cause));
}

const readCauses = prepare((db, purchaseId: string) =>
  db.selectFrom('ledger_entry').where('purchase_id', '=', purchaseId).select('cause'),
);

/** Money that a dispute moved at the provider. */
export interface DisputeMovement {
  disputeId: string;
  /** The provider's id of the movement. */
  id: string;
  /** Signed cents: negative when withdrawn, positive when reinstated. */
  amountCents: number;
  /** What the provider took for it, cents; negative when given back. */
  feeCents: number;
}

type MovementName = Pick<DisputeMovement, 'disputeId' | 'id'>;
export const disputeCause = ({ disputeId, id }: MovementName) => `dispute:${disputeId}:${id}`;
const disputeFeeCause = ({ disputeId, id }: MovementName) => `dispute_fee:${disputeId}:${id}`;

/**
 * Books one phase of a dispute: the creator bears its amount, but for the tax in it, which is owed
 * no more, and the platform the provider's fee.
 */
async function recordDisputeMovement(
  trx: DatabaseTransaction,
  sale: Sale,
  movement: DisputeMovement,
  now: number,
): Promise<void> {
  const { amountCents, feeCents } = movement;
  const tax = await findDisputedTax(trx, sale, amountCents);
  await postSaleEntry(trx, sale, now, {
    kind: amountCents < 0 ? 'dispute' : 'dispute_reversal',
    cause: disputeCause(movement),
    lines: [
      { account: 'provider', amountCents: feeCents - amountCents },
      { account: 'creator', ownerId: sale.sellerId, amountCents: amountCents - tax },
      { account: 'dispute_fee', amountCents: -feeCents },
      ...taxLines(tax),
    ],
  });
}

/**
 * The tax in a movement of a dispute, with its sign; cents. What is withdrawn takes its share of
 * what refunds and disputes have left of the tax, and what is reinstated brings back its share of
 * what disputes took.
 */
async function findDisputedTax(
  trx: DatabaseTransaction,
  sale: Sale,
  amountCents: number,
): Promise<number> {
  if (sale.taxCents === 0) return 0;
  const disputed = await sumDisputes(trx, sale.purchaseId);
  if (amountCents > 0) {
    const { all, tax } = disputed;
    return all > 0 ? shareOf(tax, Math.min(amountCents, all), all) : 0;
  }
  const before = (await findRefundedCents(trx, sale.purchaseId)) + disputed.all;
  const total = totalOf(sale);
  return -taxOf(sale, Math.min(before, total), Math.min(before - amountCents, total));
}

/** Cents that disputes hold of a purchase, and the tax in them. */
async function sumDisputes(
  trx: DatabaseTransaction,
  purchaseId: string,
): Promise<{ all: number; tax: number }> {
  const lines = await selectLines(trx)
    .where('ledger_entry.purchase_id', '=', purchaseId)
    .where('ledger_entry.kind', 'in', ['dispute', 'dispute_reversal'])
    .where('ledger_line.account', 'in', ['creator', 'tax_payable'])
    .select(['ledger_line.account', 'ledger_line.amount_cents'])
    .execute();
  const sum = (counted: typeof lines) =>
    counted.reduce((cents, line) => cents - line.amount_cents, 0);
  return { all: sum(lines), tax: sum(lines.filter(({ account }) => account === 'tax_payable')) };
}

/**
 * Charges the provider's fee to the creator who has to bear it, and returns what was charged of a
 * fee that the provider gives back.
 */
async function moveDisputeFee(
  trx: DatabaseTransaction,
  sale: Sale,
  movement: DisputeMovement,
  bearer: CostBearers['disputeFee'],
  now: number,
): Promise<void> {
  const { disputeId, feeCents } = movement;
  const due = bearer === 'creator' ? feeCents : 0;
  const cents =
    feeCents < 0 ? -Math.min(-feeCents, await findChargedFee(trx, sale, disputeId)) : due;
  if (cents === 0) return;
  await postSaleEntry(trx, sale, now, {
    kind: 'dispute_fee',
    cause: disputeFeeCause(movement),
    lines: [
      { account: 'dispute_fee', amountCents: cents },
      { account: 'creator', ownerId: sale.sellerId, amountCents: -cents },
    ],
  });
}

/** Cents of a dispute's fees that its creator bears so far. */
async function findChargedFee(
  trx: DatabaseTransaction,
  { purchaseId }: Sale,
  disputeId: string,
): Promise<number> {
  const lines = await selectLines(trx)
    .where('ledger_entry.purchase_id', '=', purchaseId)
    .where('ledger_entry.kind', '=', 'dispute_fee')
    .where('ledger_line.account', '=', 'dispute_fee')
    .select(['ledger_entry.cause', 'ledger_line.amount_cents'])
    .execute();
  return lines
    .filter(({ cause }) => cause.startsWith(disputeFeeCause({ disputeId, id: '' })))
    .reduce((sum, { amount_cents }) => sum + amount_cents, 0);
}
