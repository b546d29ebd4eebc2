import { randomUUID } from 'node:crypto';
import { isBlank, isLongerThan } from '../../../contract/characters.ts';
import { fact } from '../../../contract/fact.ts';
import { MAX_REFUND_REASON_LENGTH } from '../../../contract/limits.ts';
import { sumOwed } from '../../books/ledger/balance.ts';
import { splitRefund } from '../../books/ledger/record-refund.ts';
import { processingCostCause, totalOf } from '../../books/ledger/record-sale.ts';
import { selectLines } from '../../books/ledger/select-lines.ts';
import type { LinkAuthor } from '../../catalog/links/queries.ts';
import type { Actor } from '../../ground/acts/operator-of.ts';
import { recordAct } from '../../ground/acts/record-act.ts';
import { dialectOf } from '../../ground/database/dialect.ts';
import type { Database, DatabaseTransaction } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';
import type { JobPayloads } from '../../ground/outbox/tables.ts';
import { RefundRefusedError } from '../../selling/purchases/card-provider.ts';
import { saleOf } from '../../selling/purchases/fulfil-purchase.ts';
import { selectPurchases } from '../../selling/purchases/queries.ts';
import { refundableCents } from '../../selling/purchases/refundable-cents.ts';
import { IMPORTED, type Refund } from '../../selling/purchases/tables.ts';
import { tellSale } from '../../selling/purchases/tell-sale.ts';
import { type ReviewContext, reviewPayment } from './review-payment.ts';

export interface SaleToRefund {
  /** Its seller, the operator, or whoever bought it, as far as `giveBack` lets them. */
  by: LinkAuthor | { kind: 'buyer' };
  purchaseId: string;
  /** All that is left where it is null. */
  amountCents: number | null;
}

/**
 * Whose decision a refund is. An operator's is kept as an act of its actor; null where it follows
 * from one that is kept already.
 */
export type Refunder =
  | Extract<LinkAuthor, { kind: 'creator' }>
  | { kind: 'operator'; actor: Actor | null }
  | { kind: 'buyer' };

/** When a refund that the provider has not answered is asked for again. */
const ASKED_AGAIN_MS = 30_000;

/**
 * Gives a sale back, whole or in part, as its seller, the operator or its buyer decided. It is written down
 * first, so that two people at once never give back more than was paid, and a server that dies
 * asks for it again.
 * @param requireGround throws where what the refund is decided by does not hold any more. It is asked
 *   once the sale is locked, in the transaction in which the refund is written down.
 * @throws DomainError NOT_FOUND, INVALID_INPUT, REFUND_REFUSED
 */
export async function refundSale(
  context: ReviewContext,
  { reason, ...sold }: SaleToRefund & { by: Refunder; reason: string },
  requireGround?: (trx: DatabaseTransaction) => Promise<void>,
): Promise<void> {
  const { db, provider, now } = context;
  const why = reason.replace(/\s+/g, ' ').trim();
  if (isBlank(why) || isLongerThan(why, MAX_REFUND_REASON_LENGTH)) {
    throw new DomainError(
      'INVALID_INPUT',
      fact('Give a reason of 1 to {limit} characters.', { limit: MAX_REFUND_REASON_LENGTH }),
    );
  }
  const account = await provider.account();
  // After a take-down, nobody waits for what the provider answers.
  const isAwaited = sold.by.kind !== 'operator' || sold.by.actor !== null;
  const asked = await transaction(db, async (trx) => {
    const { purchase, amountCents } = await findRefundable(trx, sold);
    await requireGround?.(trx);
    if (purchase.mode !== provider.mode || purchase.provider_account !== account) {
      throw refused('elsewhere');
    }
    const id = randomUUID();
    await trx
      .insertInto('refund')
      .values({
        id,
        purchase_id: purchase.id,
        amount_cents: amountCents,
        state: 'requested',
        reason: why,
        requested_by: sold.by.kind,
        created_at: now(),
      })
      .execute();
    const actor = sold.by.kind === 'operator' ? sold.by.actor : null;
    const refund = {
      refundId: id,
      isPromised: sold.by.kind === 'buyer' || !isAwaited,
      ...(actor?.kind === 'account' && { operatorId: actor.id }),
    };
    await enqueue(trx, 'make-refund', refund, now(), now() + ASKED_AGAIN_MS);
    if (actor) {
      const subject = { kind: 'purchase', id: purchase.id } as const;
      const act = { act: 'refund.made', subject, reason: why, details: { amountCents } };
      await recordAct(trx, actor, act, now());
    }
    return refund;
  });
  await makeRefund(context, asked, isAwaited).catch((error: unknown) => {
    if (error instanceof RefundRefusedError) throw refused(error.why);
    // The provider may or may not have made it: its job finds out.
  });
}

type Refusal = RefundRefusedError['why'] | 'elsewhere' | 'imported';

const refused = (why: Refusal) => new DomainError('REFUND_REFUSED', SENTENCES[why], { cause: why });

/** Whether a refund was refused because nothing is left of the payment, or the bank decides. */
export function needsNoRefund(error: unknown): boolean {
  if (!(error instanceof DomainError && error.code === 'REFUND_REFUSED')) return false;
  return error.cause === 'nothing-left' || error.cause === 'disputed';
}

const SENTENCES: Record<Refusal, string> = {
  'nothing-left': 'There is nothing left of this payment to refund.',
  'too-large': 'That is more than is left of this payment. Reload the page to see what is.',
  disputed: 'This payment is disputed at the buyer’s bank, which decides who gets the money.',
  elsewhere: 'It was paid through another account at the payment provider. Refund it there.',
  imported:
    'It was paid elsewhere, before this account or sale came here, and can only be refunded there.',
  other: 'The payment provider refused this refund. Nothing was refunded.',
};

/**
 * Asks the provider for a refund that was decided, once however often it runs; the books follow.
 * @param isAwaited whether somebody is told of a refusal by the answer; otherwise it is mailed
 * @throws RefundRefusedError when the provider makes no such refund; it is written down as failed
 */
async function makeRefund(
  context: ReviewContext,
  asked: AskedRefund,
  isAwaited: boolean,
): Promise<void> {
  const { db, provider, now } = context;
  const { refundId } = asked;
  const refund = await findRequested(db, refundId);
  if (!refund) return;
  const { paymentIntentId } = refund;
  try {
    await provider.refundPayment({
      paymentIntentId,
      amountCents: refund.amount_cents,
      reason: 'requested_by_customer',
      notes: { purchaseId: refund.purchase_id, refundId, reason: refund.reason ?? '' },
      idempotencyKey: `refund-${refundId}`,
    });
  } catch (error) {
    if (!(error instanceof RefundRefusedError)) throw error;
    await transaction(db, async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('refund')
        .set({ state: 'failed' })
        .where('id', '=', refundId)
        .where('state', '=', 'requested')
        .executeTakeFirst();
      if (numUpdatedRows === 0n || isAwaited) return;
      await tellRefusal(trx, { ...asked, ...refund, why: error.why }, now());
    });
    await reviewPayment(context, paymentIntentId);
    throw error;
  }
  await reviewPayment(context, paymentIntentId);
}

/** The job of a refund whose answer nobody got: it may have been made before its key was forgotten. */
export async function finishRefund(context: ReviewContext, asked: AskedRefund): Promise<void> {
  const refund = await findRequested(context.db, asked.refundId);
  if (!refund) return;
  await reviewPayment(context, refund.paymentIntentId);
  await makeRefund(context, asked, false).catch((error: unknown) => {
    if (!(error instanceof RefundRefusedError)) throw error;
  });
}

type AskedRefund = JobPayloads['make-refund'];
type RefusedRefund = AskedRefund &
  Pick<RefundRefusedError, 'why'> &
  Pick<Refund, 'purchase_id' | 'amount_cents' | 'requested_by'>;

async function tellRefusal(
  trx: DatabaseTransaction,
  { refundId, why, operatorId, isPromised, ...refund }: RefusedRefund,
  now: number,
): Promise<void> {
  const purchase = await selectPurchases(trx)
    .where('purchase.id', '=', refund.purchase_id)
    .executeTakeFirstOrThrow();
  const told = { id: refundId, amount: refund.amount_cents, currency: purchase.currency };
  await tellSale(trx, purchase, { type: 'sale.refund_failed', about: { refund: told } }, now);
  if (refund.requested_by !== 'buyer') {
    const decided = { refundId, why, ...(operatorId && { operatorId }) };
    await enqueue(trx, 'send-sale-refund-refused', decided, now);
  }
  // Where nothing is left, the money comes back by another refund.
  if (isPromised && why !== 'nothing-left') {
    await enqueue(trx, 'send-refund-refused', { refundId, why }, now);
  }
}

async function findRequested(db: Database, refundId: string) {
  const row = await db
    .selectFrom('refund')
    .innerJoin('purchase', 'purchase.id', 'refund.purchase_id')
    .innerJoin('payment', 'payment.id', 'purchase.payment_id')
    .where('refund.id', '=', refundId)
    .where('refund.state', '=', 'requested')
    .select(['refund.amount_cents', 'refund.reason', 'refund.purchase_id', 'refund.requested_by'])
    .select('payment.payment_intent_id')
    .executeTakeFirst();
  return row?.payment_intent_id ? { ...row, paymentIntentId: row.payment_intent_id } : null;
}

/** What a refund costs whom, in cents. */
export interface RefundQuote {
  amountCents: number;
  /** What its seller gives back of the sale. */
  creatorCents: number;
  /** What the platform gives back of its fee. */
  feeCents: number;
  /** The tax that the buyer paid on it. */
  taxCents: number;
  /** What the provider keeps of the refunded part; null while it does not say. */
  costCents: number | null;
  /** Of the seller, afterwards. */
  balanceCents: number;
  /** Whether nothing is left of the payment then. */
  isWhole: boolean;
}

/** @throws DomainError NOT_FOUND, INVALID_INPUT, REFUND_REFUSED */
export async function quoteRefund(
  { db, refundCost }: { db: Database; refundCost: 'platform' | 'creator' },
  sold: SaleToRefund,
): Promise<RefundQuote> {
  const { purchase, refundedCents, amountCents } = await findRefundable(db, sold);
  const sale = saleOf(purchase);
  const cost = await selectLines(db)
    .where('ledger_entry.cause', '=', processingCostCause(sale))
    .where('ledger_entry.purchase_id', '=', purchase.id)
    .where('ledger_line.account', '=', 'provider')
    .select('ledger_line.amount_cents')
    .executeTakeFirst();
  const after = refundedCents + amountCents;
  const keptCents = cost?.amount_cents ?? 0;
  const { costCents, ...shares } = splitRefund(sale, refundedCents, after, keptCents);
  const charged = refundCost === 'creator' ? costCents : 0;
  return {
    amountCents,
    ...shares,
    costCents: cost ? costCents : null,
    balanceCents: (await sumOwed(db, purchase.seller_id)) - shares.creatorCents - charged,
    isWhole: after === totalOf(sale),
  };
}

/** A sale of which this much may be refunded by this person now. In a transaction it is locked. */
async function findRefundable(db: Database, { by, purchaseId, amountCents }: SaleToRefund) {
  const purchase = await selectPurchases(db)
    .where('purchase.id', '=', purchaseId)
    .where('settled_at', 'is not', null)
    .$if(by.kind === 'creator', (query) =>
      query.where('seller_id', '=', by.kind === 'creator' ? by.userId : ''),
    )
    .$if(db.isTransaction && dialectOf(db) === 'postgres', (query) => query.forUpdate('purchase'))
    .executeTakeFirst();
  if (!purchase) throw new DomainError('NOT_FOUND', NO_SALE[by.kind]);
  if (purchase.provider_account === IMPORTED) throw refused('imported');
  const { state } = await db
    .selectFrom('access_grant')
    .where('purchase_id', '=', purchaseId)
    .select('state')
    .executeTakeFirstOrThrow();
  if (state === 'suspended') throw refused('disputed');
  const refunds = await db
    .selectFrom('refund')
    .selectAll()
    .where('purchase_id', '=', purchaseId)
    .execute();
  const paidCents = totalOf(saleOf(purchase));
  const leftCents = refundableCents(paidCents, state, refunds);
  if (leftCents === 0) throw refused('nothing-left');
  const cents = amountCents ?? leftCents;
  if (!Number.isSafeInteger(cents) || cents < 1) {
    throw new DomainError('INVALID_INPUT', 'Refund at least $0.01.');
  }
  if (cents > leftCents) {
    throw new DomainError(
      'INVALID_INPUT',
      fact('Only {price} of this payment is left to refund.', { price: { cents: leftCents } }),
    );
  }
  return { purchase, amountCents: cents, refundedCents: paidCents - leftCents };
}

const NO_SALE = {
  creator: 'You have no sale with this ID.',
  operator: 'There is no sale with this ID.',
  buyer: 'There is no such purchase.',
};
