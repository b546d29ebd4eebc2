import { prepare } from '../../ground/database/prepare.ts';
import type { Database, DatabaseContext } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { beginRefund, type Unowed } from '../../selling/purchases/begin-refund.ts';
import { RefundRefusedError, type RefundRequest } from '../../selling/purchases/card-provider.ts';
import { endRivals } from '../../selling/purchases/end-checkouts.ts';
import { findLines, findPurchase, findStanding } from '../../selling/purchases/queries.ts';
import type { PaymentLine } from '../../selling/purchases/tables.ts';
import { type ReviewContext, reviewPayment } from './review-payment.ts';

/**
 * What a settled payment leads to: the visitor's other checkouts of the link end, and a payment for
 * which nothing is owed is given back. It is a job of its own, after the settlement: within it, two
 * payments of one visitor would wait for each other, each with the seller's balance in its hands.
 * @returns the payments that are given back, those that were decided with the settlement included
 */
export async function followSettlement(
  { db, now }: DatabaseContext,
  purchaseId: string,
): Promise<Unowed[]> {
  const purchase = await findPurchase(db, purchaseId);
  if (!purchase) throw new Error(`There is no purchase ${purchaseId}`);
  await endRivals({ db, now }, purchase);
  const { refunded_because: because } = purchase;
  if (because === 'taken-down') return [{ purchase, because }];
  const unowed = await findUnowed(db, purchase);
  const begun: Unowed[] = [];
  for (const one of unowed) {
    if (await transaction(db, (trx) => beginRefund(trx, one, now()))) begun.push(one);
  }
  return begun;
}

async function findUnowed(db: Database, purchase: PaymentLine): Promise<Unowed[]> {
  if (await isSellerGone(db, purchase)) return givenBack([purchase], 'seller-gone');
  return givenBack(await findDoublePayments(db, purchase), 'double');
}

/** What cost nothing stays with its buyer. */
const givenBack = (purchases: PaymentLine[], because: Unowed['because']): Unowed[] =>
  purchases.filter(({ price_cents }) => price_cents > 0).map((purchase) => ({ purchase, because }));

async function isSellerGone(db: Database, { seller_id }: PaymentLine): Promise<boolean> {
  const [seller] = await readSeller(db, seller_id);
  return seller === undefined;
}

const readSeller = prepare((db, id: string) =>
  db.selectFrom('user').where('id', '=', id).select('id'),
);

/**
 * The payments of one visitor for one link that still stand, but for the first. The order is the
 * database's: each of two payments at once looks for the other, whichever clock they were told by.
 * Gifts are no payments for what the visitor has already. One that brought a license key goes back too:
 * it was paid by mistake, as no second checkout begins once one is paid.
 */
export async function findDoublePayments(
  db: Database,
  purchase: PaymentLine,
): Promise<PaymentLine[]> {
  if (purchase.gift_email !== null) return [];
  return (await findStanding(db, purchase)).slice(1);
}

/** Gives a payment back that Padlink decided to, once however often it runs; the books follow. */
export async function refundPayment(context: ReviewContext, purchaseId: string): Promise<void> {
  const purchase = await findPurchase(context.db, purchaseId);
  if (!purchase) throw new Error(`There is no purchase ${purchaseId}`);
  const { payment_intent_id: paymentIntentId, refunded_because: because } = purchase;
  if (!paymentIntentId || !because) return;
  const lines = await findLines(context.db, purchase.payment_id);
  const isAlone = lines.length === 1;
  const part = isAlone ? {} : await findPart(context, purchase);
  if (!part) return;
  const paid = isAlone ? paymentIntentId : `${paymentIntentId}:${purchase.line}`;
  const refund = context.provider.refundPayment({
    paymentIntentId,
    reason: because === 'double' ? 'duplicate' : 'requested_by_customer',
    idempotencyKey: `${because}-${paid}`,
    ...part,
  });
  await refund.catch((error: unknown) => {
    if (!(error instanceof RefundRefusedError && error.why === 'nothing-left')) throw error;
  });
  await reviewPayment(context, paymentIntentId);
}

/** Of a payment of several, what is left of one; null where nothing is. */
async function findPart(
  { db }: ReviewContext,
  { id: purchaseId, price_cents, tax_cents }: PaymentLine,
): Promise<Pick<RefundRequest, 'amountCents' | 'notes'> | null> {
  const refunds = await db
    .selectFrom('refund')
    .where('purchase_id', '=', purchaseId)
    .where('state', '!=', 'failed')
    .select('amount_cents')
    .execute();
  const amountCents = refunds.reduce(
    (left, { amount_cents }) => left - amount_cents,
    price_cents + tax_cents,
  );
  return amountCents > 0 ? { amountCents, notes: { purchaseId } } : null;
}
