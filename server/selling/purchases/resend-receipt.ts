import type { Actor } from '../../ground/acts/operator-of.ts';
import { recordAct } from '../../ground/acts/record-act.ts';
import type { Database, DatabaseContext } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import type { Viewer } from '../../ground/lib/viewer.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';
import { resendGift } from './gifts.ts';
import { paymentKind } from './payment-kind.ts';
import { findPurchasesBySession, holdsGrant } from './queries.ts';
import type { Purchase } from './tables.ts';

interface Context extends DatabaseContext {
  limits: {
    take(
      name: 'receiptsResent' | 'receiptsResentBySession' | 'receiptsResentBySeller',
      purchaseId: string,
    ): Promise<unknown>;
  };
}

/**
 * Emails the receipt again to the address that paid, for whoever knows the session of its checkout:
 * the address of a page tells. Does the same whether or not there is one, or was mailed too often,
 * so that it reveals nothing to strangers; counted apart, so that they use up nothing of the buyer's.
 */
export async function resendReceipt(context: Context, sessionId: string): Promise<void> {
  const { db, limits, now } = context;
  const lines = await findPurchasesBySession(db, sessionId);
  const [purchase] = lines;
  if (purchase?.state !== 'settled' || purchase.buyer_email === null) return;
  try {
    await limits.take('receiptsResentBySession', purchase.id);
  } catch (error) {
    if (isTooOften(error)) return;
    throw error;
  }
  await enqueue(db, paymentKind(lines).receipt, { purchaseId: purchase.id }, now());
}

const isTooOften = (error: unknown): error is DomainError =>
  error instanceof DomainError && error.code === 'RATE_LIMITED';

/**
 * The same for one who holds the purchase, whichever way.
 * @throws DomainError NOT_FOUND where the viewer holds no such purchase, RATE_LIMITED
 */
export async function resendHeldReceipt(
  context: Context & { viewer: Viewer },
  purchaseId: string,
): Promise<void> {
  const { db, viewer } = context;
  const purchase = await mailed(db)
    .where('purchase.id', '=', purchaseId)
    .select('access_grant.id as grant_id')
    .executeTakeFirst();
  if (!purchase || !(await holdsGrant(db, viewer, purchase.grant_id))) {
    throw new DomainError('NOT_FOUND', 'You have no such purchase.');
  }
  await resend(context, purchase);
}

/**
 * The same for who sold it, who is not told where it goes. Counted apart: a seller uses up nothing
 * of what the buyer may ask for.
 * @throws DomainError NOT_FOUND where it is no sale of theirs that a receipt can be sent of,
 * RATE_LIMITED
 */
export async function resendReceiptOfSale(
  context: Context,
  { sellerId, purchaseId }: { sellerId: string; purchaseId: string },
): Promise<void> {
  const sale = standing(context.db)
    .where('purchase.id', '=', purchaseId)
    .where('purchase.seller_id', '=', sellerId);
  if (!(await sale.executeTakeFirst())) {
    throw new DomainError('NOT_FOUND', 'You have no sale with this ID.');
  }
  await resendAll(context, purchaseId);
}

/**
 * The same by an operator, within what the seller may ask for.
 * @throws DomainError NOT_FOUND where it is no purchase that a receipt can be sent of, RATE_LIMITED
 */
export async function resendReceiptByOperator(
  context: Context,
  actor: Actor,
  purchaseId: string,
): Promise<void> {
  const purchase = standing(context.db).where('purchase.id', '=', purchaseId);
  if (!(await purchase.executeTakeFirst())) {
    throw new DomainError('NOT_FOUND', 'There is no receipt to send for this order.');
  }
  await resendAll(context, purchaseId, actor);
}

/** The receipt, by which the buyer of a gift can correct its address, and the gift. */
async function resendAll(
  { db, limits, now }: Context,
  purchaseId: string,
  actor?: Actor,
): Promise<void> {
  await limits.take('receiptsResentBySeller', purchaseId);
  await transaction(db, async (trx) => {
    await enqueue(trx, 'send-receipt', { purchaseId }, now());
    await resendGift(trx, purchaseId, now());
    const subject = { kind: 'purchase', id: purchaseId } as const;
    if (actor) await recordAct(trx, actor, { act: 'receipt.resent', subject }, now());
  });
}

/** Beyond it, all purchases are found again by their address. */
const MAX_RECEIPTS_AT_ONCE = 20;

/**
 * The receipts of what a browser holds, the newest first. Those that were mailed too often are left
 * out.
 * @throws DomainError RATE_LIMITED when all of them were
 */
export async function resendReceiptsOfBrowser(context: Context, claimHash: string): Promise<void> {
  const purchases = await standing(context.db)
    .innerJoin('grant_claim', 'grant_claim.grant_id', 'access_grant.id')
    .where('grant_claim.claim_hash', '=', claimHash)
    .orderBy('purchase.settled_at', 'desc')
    .limit(MAX_RECEIPTS_AT_ONCE)
    .execute();
  const refusals: DomainError[] = [];
  for (const purchase of purchases) {
    await resend(context, purchase).catch((error: unknown) => {
      if (!isTooOften(error)) throw error;
      refusals.push(error);
    });
  }
  const [refusal] = refusals;
  if (refusal && refusals.length === purchases.length) throw refusal;
}

const mailed = (db: Database) =>
  db
    .selectFrom('purchase')
    .innerJoin('access_grant', 'access_grant.purchase_id', 'purchase.id')
    .where('purchase.state', '=', 'settled')
    .where('purchase.buyer_email', 'is not', null)
    .select(['purchase.id', 'purchase.gift_email']);

const standing = (db: Database) => mailed(db).where('access_grant.state', '!=', 'ended');

/** To whoever holds a purchase: of a gift, the receipt is its buyer's. */
async function resend(
  { db, limits, now }: Context,
  { id: purchaseId, gift_email }: Pick<Purchase, 'id' | 'gift_email'>,
): Promise<void> {
  await limits.take('receiptsResent', purchaseId);
  await mailHolder(db, { id: purchaseId, gift_email }, now());
}

/** Has whoever holds a purchase mailed what opens it. */
export const mailHolder = (
  db: Database,
  { id: purchaseId, gift_email }: Pick<Purchase, 'id' | 'gift_email'>,
  now: number,
) => enqueue(db, gift_email === null ? 'send-receipt' : 'send-gift', { purchaseId }, now);
