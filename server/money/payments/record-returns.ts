import type { Database, DatabaseTransaction } from '../../ground/database/tables.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';
import type { PaymentReport, ReportedDispute } from '../../selling/purchases/card-provider.ts';
import type { Dispute, Purchase, Refund } from '../../selling/purchases/tables.ts';
import { tellSale } from '../../selling/purchases/tell-sale.ts';

/**
 * Writes down the refunds and disputes of a purchase as the provider reports them now. Whom a
 * refund concerns is mailed once it is made, and a dispute that awaits an answer gets its evidence.
 */
export async function recordReturns(
  trx: DatabaseTransaction,
  purchase: Purchase,
  { refunds, disputes }: Pick<PaymentReport, 'refunds' | 'disputes'>,
  now: number,
): Promise<void> {
  if (refunds.length > 0) await recordRefunds(trx, purchase, refunds, now);
  for (const dispute of disputes) await recordDispute(trx, purchase, dispute, now);
}

async function recordRefunds(
  trx: DatabaseTransaction,
  purchase: Purchase,
  reported: PaymentReport['refunds'],
  now: number,
): Promise<void> {
  const { id: purchaseId, currency } = purchase;
  const rows = trx.selectFrom('refund').selectAll().where('purchase_id', '=', purchaseId);
  const known = new Map((await rows.execute()).map((refund) => [refund.id, refund]));
  for (const { id, refundId, amountCents, state, createdAt } of reported) {
    // Whoever notes one of our ids at another payment's refund there changes nothing here.
    const own = known.get(refundId ?? id) ?? known.get(id);
    if (own?.state === state) continue;
    if (state === 'succeeded') {
      const refund = { id: own?.id ?? id, amount: amountCents, currency };
      await tellSale(trx, purchase, { type: 'sale.refunded', about: { refund } }, now);
    }
    if (own) {
      await trx
        .updateTable('refund')
        .set({ state })
        .where('id', '=', own.id)
        .where('purchase_id', '=', purchaseId)
        .execute();
      if (own.state === 'requested' && state !== 'failed') await tell(trx, own, now);
    } else {
      await trx
        .insertInto('refund')
        .values({
          id,
          purchase_id: purchaseId,
          amount_cents: amountCents,
          state,
          reason: null,
          requested_by: null,
          created_at: createdAt,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
    if (state === 'failed') {
      await tellFailure(trx, purchase, { id: own?.id ?? id, amount: amountCents }, now);
    }
  }
}

async function tell(trx: DatabaseTransaction, refund: Refund, now: number): Promise<void> {
  const { id: refundId, requested_by: by } = refund;
  await enqueue(trx, 'send-refund', { refundId }, now);
  // Who gave it knows; the operator and the buyer decide for the seller.
  if (by === 'operator' || by === 'buyer') {
    await enqueue(trx, 'send-sale-refunded', { refundId }, now);
  }
}

/** The buyer's bank sent it back: its money, and with it the access, is where it was before. */
async function tellFailure(
  trx: DatabaseTransaction,
  purchase: Purchase,
  refund: { id: string; amount: number },
  now: number,
): Promise<void> {
  const about = { refund: { ...refund, currency: purchase.currency } };
  await tellSale(trx, purchase, { type: 'sale.refund_failed', about }, now);
  const job = { refundId: refund.id, purchaseId: purchase.id };
  if (purchase.buyer_email) await enqueue(trx, 'send-refund-failed', job, now);
  await enqueue(trx, 'send-sale-refund-failed', job, now);
}

async function recordDispute(
  trx: DatabaseTransaction,
  purchase: Purchase,
  { id, amountCents, stage, awaitsAnswer, respondBy, isSent, createdAt }: ReportedDispute,
  now: number,
): Promise<void> {
  const known = await trx
    .selectFrom('dispute')
    .selectAll()
    .where('id', '=', id)
    .where('purchase_id', '=', purchase.id)
    .executeTakeFirst();
  const told = {
    amount_cents: amountCents,
    stage,
    awaits_answer: awaitsAnswer ? 1 : 0,
    respond_by: respondBy,
    evidence_state: isSent ? ('sent' as const) : (known?.evidence_state ?? 'none'),
  };
  const isNew = (Object.keys(told) as (keyof typeof told)[]).some(
    (name) => known?.[name] !== told[name],
  );
  if (!isNew) return;
  const first = { evidence: '{}', created_at: createdAt };
  await trx
    .insertInto('dispute')
    .values({ id, purchase_id: purchase.id, ...told, ...first })
    .onConflict((conflict) => conflict.columns(['purchase_id', 'id']).doUpdateSet(told))
    .execute();
  if (stage !== known?.stage) {
    const about = {
      dispute: { id, amount: amountCents, currency: purchase.currency, state: stage },
    };
    if (!known) await tellSale(trx, purchase, { type: 'dispute.opened', about }, now);
    if (stage === 'lost' || stage === 'over') {
      await tellSale(trx, purchase, { type: 'dispute.closed', about }, now);
    }
  }
  // Its bank is answered once for all that was paid at once.
  if (!awaitsAnswer || purchase.line > 1) return;
  const job = { disputeId: id };
  // The one that waits for the former deadline.
  await trx
    .deleteFrom('job')
    .where('kind', '=', 'attach-evidence')
    .where('payload', '=', JSON.stringify(job))
    .where('locked_until', '<=', now)
    .execute();
  await enqueue(trx, 'attach-evidence', job, now);
}

/** What became of the money of a sale since. */
export interface Returns {
  /** Oldest first. */
  refunds: Refund[];
  /** Oldest first. */
  disputes: Dispute[];
  /** By the buyer, tax included. */
  paidCents: number;
}

/** By the ids of their purchases. */
export async function readReturns(
  db: Database,
  purchaseIds: string[],
): Promise<Map<string, Returns>> {
  if (purchaseIds.length === 0) return new Map();
  const purchases = await db
    .selectFrom('purchase')
    .where('id', 'in', purchaseIds)
    .select(['id', 'price_cents', 'tax_cents'])
    .execute();
  const refunds = await db
    .selectFrom('refund')
    .selectAll()
    .where('purchase_id', 'in', purchaseIds)
    .orderBy('created_at')
    .execute();
  const disputes = await db
    .selectFrom('dispute')
    .selectAll()
    .where('purchase_id', 'in', purchaseIds)
    .orderBy('created_at')
    .execute();
  return new Map(
    purchases.map(({ id, price_cents, tax_cents }) => {
      const isOf = ({ purchase_id }: Refund | Dispute) => purchase_id === id;
      const paidCents = price_cents + tax_cents;
      return [id, { refunds: refunds.filter(isOf), disputes: disputes.filter(isOf), paidCents }];
    }),
  );
}
