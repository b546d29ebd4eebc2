import { RefundTooLargeError } from '../../books/ledger/record-refund.ts';
import { totalOf } from '../../books/ledger/record-sale.ts';
import type { DatabaseTransaction } from '../../ground/database/tables.ts';
import { spread } from '../../ground/lib/spread.ts';
import type {
  PaymentReport,
  ReportedDispute,
  ReportedRefund,
} from '../../selling/purchases/card-provider.ts';
import { saleOf } from '../../selling/purchases/fulfil-purchase.ts';
import type { PaymentLine } from '../../selling/purchases/tables.ts';

/** A line of a payment, and what may still be taken back of it. */
interface Line {
  purchase: PaymentLine;
  paidCents: number;
  leftCents: number;
  /** Of it, what refunds take that were asked for here and that the provider does not report yet. */
  askedCents: number;
}

type Shares = Map<string, number>;

/**
 * What the provider says of a payment of several, as each of its lines bears it: the sums are the
 * provider's, to the cent. What was spread once stays as it is. A refund that names its line is that
 * line's; any other is spread over what is left of each, and so is what a dispute takes.
 * @param purchases all lines of the payment, in their order
 * @returns a report for each, in the same order
 * @throws RefundTooLargeError when the provider reports more refunded than was sold
 */
export async function sharePayment(
  trx: DatabaseTransaction,
  purchases: PaymentLine[],
  payment: PaymentReport,
): Promise<PaymentReport[]> {
  const known = await readShares(trx, purchases);
  const lines = purchases.map((purchase): Line => {
    const paidCents = totalOf(saleOf(purchase));
    return { purchase, paidCents, leftCents: paidCents, askedCents: 0 };
  });
  const refunds = await shareRefunds(trx, lines, payment.refunds, known);
  const disputes = await shareDisputes(trx, lines, payment.disputes, known);
  const moved = await shareMovements(trx, lines, payment, known);
  const costs = spreadCost(lines, payment.processingCostCents);
  return lines.map(({ purchase: { id }, paidCents }, index) => {
    const own = <Shared extends { amountCents: number }>(shared: Shared, shares: Shares) => ({
      ...shared,
      amountCents: shares.get(id) ?? 0,
    });
    return {
      amountCents: paidCents,
      processingCostCents: costs?.[index] ?? null,
      refunds: refunds.flatMap(({ refund, shares }) =>
        shares.get(id) ? [own(refund, shares)] : [],
      ),
      disputes: disputes.map(({ dispute, shares }) => own(dispute, shares)),
      disputeMovements: moved.flatMap(({ movement, shares, fees }) =>
        shares.get(id) ? [{ ...own(movement, shares), feeCents: fees[index] ?? 0 }] : [],
      ),
    };
  });
}

async function shareRefunds(
  trx: DatabaseTransaction,
  lines: Line[],
  refunds: ReportedRefund[],
  known: Map<string, Shares>,
) {
  const shared: { refund: ReportedRefund; shares: Shares }[] = [];
  const ids = lines.map(({ purchase }) => purchase.id);
  const own = await trx
    .selectFrom('refund')
    .where('purchase_id', 'in', ids)
    .select(['id', 'purchase_id', 'amount_cents', 'state'])
    .execute();
  const reported = new Set(refunds.map(({ refundId }) => refundId));
  for (const line of lines) {
    line.askedCents = own
      .filter(({ purchase_id }) => purchase_id === line.purchase.id)
      .filter(({ id, state }) => state === 'requested' && !reported.has(id))
      .reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  }
  for (const refund of refunds) {
    const asked = own.find(({ id }) => id === refund.refundId);
    let shares = known.get(refund.id);
    if (!shares) {
      // One that failed before it was seen took nothing from anybody.
      const noted =
        refund.purchaseId !== null && ids.includes(refund.purchaseId) ? refund.purchaseId : null;
      const named = asked?.purchase_id ?? noted;
      if (refund.state === 'failed' && named === null) continue;
      shares =
        named === null
          ? spreadOver(lines, refund.amountCents, refund.id)
          : new Map([[named, refund.amountCents]]);
      await keepShares(trx, refund.id, shares);
    }
    if (refund.state !== 'failed') take(lines, shares);
    shared.push({ refund, shares });
  }
  return shared;
}

/** The oldest first, so that each finds what the ones before it left. */
async function shareDisputes(
  trx: DatabaseTransaction,
  lines: Line[],
  disputes: ReportedDispute[],
  known: Map<string, Shares>,
) {
  const shared: { dispute: ReportedDispute; shares: Shares }[] = [];
  for (const dispute of [...disputes].sort((a, b) => a.createdAt - b.createdAt)) {
    let shares = known.get(dispute.id);
    if (!shares) {
      const left = lines.map(({ leftCents, purchase }) =>
        shared
          .filter((earlier) => earlier.dispute.stage !== 'over')
          .reduce((cents, { shares }) => cents - (shares.get(purchase.id) ?? 0), leftCents),
      );
      const weights = left.some((cents) => cents > 0) ? left : lines.map((line) => line.paidCents);
      shares = named(lines, spread(dispute.amountCents, weights));
      await keepShares(trx, dispute.id, shares);
      known.set(dispute.id, shares);
    }
    shared.push({ dispute, shares });
  }
  return shared;
}

/** What a dispute took is spread as the dispute is, and what it gives back as what it took. */
async function shareMovements(
  trx: DatabaseTransaction,
  lines: Line[],
  { disputeMovements }: PaymentReport,
  known: Map<string, Shares>,
) {
  const withheld = new Map<string, number[]>();
  const shared: {
    movement: PaymentReport['disputeMovements'][number];
    shares: Shares;
    fees: number[];
  }[] = [];
  // A movement that is known was spread before those that are not.
  const isKnown = ({ id }: { id: string }) => known.has(id);
  const ordered = [
    ...disputeMovements.filter(isKnown),
    ...disputeMovements.filter((one) => !isKnown(one)),
  ];
  for (const movement of ordered) {
    const taken = withheld.get(movement.disputeId) ?? lines.map(() => 0);
    const ofDispute = lines.map(
      ({ purchase }) => known.get(movement.disputeId)?.get(purchase.id) ?? 0,
    );
    const isReturned = movement.amountCents > 0 && taken.some((cents) => cents > 0);
    let shares = known.get(movement.id);
    if (!shares) {
      shares = named(lines, spread(movement.amountCents, isReturned ? taken : ofDispute));
      await keepShares(trx, movement.id, shares);
      known.set(movement.id, shares);
    }
    const given = shares;
    const amounts = lines.map(({ purchase }) => given.get(purchase.id) ?? 0);
    withheld.set(
      movement.disputeId,
      taken.map((cents, index) => cents - (amounts[index] ?? 0)),
    );
    const fees = spread(movement.feeCents, amounts.map(Math.abs));
    shared.push({ movement, shares, fees });
  }
  return shared;
}

const spreadCost = (lines: Line[], cents: number | null) =>
  cents === null
    ? null
    : spread(
        cents,
        lines.map(({ paidCents }) => paidCents),
      );

/** @throws RefundTooLargeError where less than that is left */
function spreadOver(lines: Line[], cents: number, id: string): Shares {
  const left = lines.map(({ leftCents }) => Math.max(0, leftCents));
  // What was asked for here is left to it, unless the provider was faster.
  const free = lines.map(({ askedCents }, index) => Math.max(0, (left[index] ?? 0) - askedCents));
  const weights = [free, left].find((some) => cents <= some.reduce((sum, one) => sum + one, 0));
  if (!weights)
    throw new RefundTooLargeError(`Refund ${id} of ${cents} cents is more than is left`);
  return named(lines, spread(cents, weights));
}

function named(lines: Line[], cents: number[]): Shares {
  return new Map(lines.map(({ purchase }, index) => [purchase.id, cents[index] ?? 0]));
}

function take(lines: Line[], shares: Shares): void {
  for (const line of lines) line.leftCents -= shares.get(line.purchase.id) ?? 0;
}

async function readShares(
  trx: DatabaseTransaction,
  purchases: PaymentLine[],
): Promise<Map<string, Shares>> {
  const ids = purchases.map(({ id }) => id);
  const rows = await trx
    .selectFrom('payment_share')
    .where('purchase_id', 'in', ids)
    .selectAll()
    .execute();
  const shares = new Map<string, Shares>();
  for (const { object_id, purchase_id, amount_cents } of rows) {
    const known = shares.get(object_id) ?? new Map();
    shares.set(object_id, known.set(purchase_id, amount_cents));
  }
  return shares;
}

async function keepShares(trx: DatabaseTransaction, id: string, shares: Shares): Promise<void> {
  const rows = [...shares].map(([purchase_id, amount_cents]) => ({
    object_id: id,
    purchase_id,
    amount_cents,
  }));
  await trx.insertInto('payment_share').values(rows).execute();
}
