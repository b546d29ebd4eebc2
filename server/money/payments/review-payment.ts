import { type CostBearers, followPayment } from '../../books/ledger/follow-payment.ts';
import { prepare } from '../../ground/database/prepare.ts';
import type { DatabaseTransaction } from '../../ground/database/tables.ts';
import { announce, transaction } from '../../ground/database/transaction.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';
import type { PaymentReport } from '../../selling/purchases/card-provider.ts';
import type { FulfilmentContext } from '../../selling/purchases/fulfil-purchase.ts';
import { saleOf } from '../../selling/purchases/fulfil-purchase.ts';
import { findPaid } from '../../selling/purchases/queries.ts';
import type { AccessGrant, PaymentLine } from '../../selling/purchases/tables.ts';
import { recordReturns } from './record-returns.ts';
import { sharePayment } from './share-payment.ts';

export interface ReviewContext extends FulfilmentContext {
  /** Origin without a trailing slash. */
  publicUrl: string;
  costBearers: CostBearers;
}

/**
 * Brings the grant and the books of a payment to what the provider says of it now. The grant is
 * suspended while a dispute is open, ended by a full refund or a lost dispute, active otherwise -
 * also again, when a dispute is won, a lost one is appealed with success, or a refund failed. Events come in any order, so none of them
 * is taken at its word. A payment that is not ours changes nothing.
 * @returns whether something changed
 * @throws RefundTooLargeError when the provider reports more refunded than was sold
 */
export async function reviewPayment(
  context: ReviewContext,
  paymentIntentId: string,
): Promise<boolean> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const review = await reviewOnce(context, paymentIntentId);
    if (review !== 'overtaken') return review === 'changed';
  }
  throw new Error(`The payment ${paymentIntentId} is changing too fast to be reviewed`);
}

/** Of parallel reviews only one that nobody overtook may write: an older answer never wins. */
const MAX_ATTEMPTS = 10;

async function reviewOnce(
  context: ReviewContext,
  paymentIntentId: string,
): Promise<'overtaken' | 'changed' | 'unchanged'> {
  const { db, provider } = context;
  const purchases = await findPaid(db, paymentIntentId);
  if (purchases.length === 0) return 'unchanged';
  const ids = purchases.map(({ id }) => id);
  const grants = await readGrants(db, ids);
  const payment = await provider.retrievePayment(paymentIntentId);
  const seen = purchases.map((purchase) => {
    const grant = grants.find(({ purchase_id }) => purchase_id === purchase.id);
    if (!grant) throw new Error(`Purchase ${purchase.id} has no grant`);
    return { purchase, grant };
  });
  return transaction(db, async (trx) => {
    for (const { grant } of seen)
      if (!(await holdGrant(trx, grant, context.now()))) return 'overtaken';
    const reports =
      purchases.length === 1 ? [payment] : await sharePayment(trx, purchases, payment);
    let changed = false;
    for (const [index, one] of seen.entries()) {
      const report = reports[index];
      if (report && (await reviewLine(trx, context, { ...one, report }))) changed = true;
    }
    return changed ? 'changed' : 'unchanged';
  });
}

const readGrants = prepare((db, purchaseIds: string[]) =>
  db
    .selectFrom('access_grant')
    .where('purchase_id', 'in', purchaseIds)
    .select(['id', 'purchase_id', 'state', 'updated_at']),
);

type SeenGrant = Pick<AccessGrant, 'id' | 'state' | 'updated_at'>;

/** @returns whether nobody changed it since it was seen */
async function holdGrant(
  trx: DatabaseTransaction,
  grant: SeenGrant,
  now: number,
): Promise<boolean> {
  const [held] = await writeHeld(trx, grant, Math.max(now, grant.updated_at + 1));
  return held !== undefined;
}

const writeHeld = prepare((db, { id, updated_at }: SeenGrant, heldAt: number) =>
  db
    .updateTable('access_grant')
    .set({ updated_at: heldAt })
    .where('id', '=', id)
    .where('updated_at', '=', updated_at)
    .returning('id'),
);

/** @returns whether something changed */
async function reviewLine(
  trx: DatabaseTransaction,
  { costBearers, now }: ReviewContext,
  { purchase, grant, report }: { purchase: PaymentLine; grant: SeenGrant; report: PaymentReport },
): Promise<boolean> {
  const state = grantStateOf(report);
  const movements = { ...report, claimedCents: claimedCentsOf(report) };
  const moved = await followPayment(trx, saleOf(purchase), movements, costBearers, now());
  await recordReturns(trx, purchase, report, now());
  const { link_id: linkId, seller_id: ownerId } = purchase;
  if (state !== grant.state) {
    await trx.updateTable('access_grant').set({ state }).where('id', '=', grant.id).execute();
    announce(trx, { kind: 'access-changed', id: linkId, ownerId, grantId: grant.id });
    if (state === 'suspended' && grant.state === 'active') {
      await enqueue(trx, 'send-payment-disputed', { purchaseId: purchase.id }, now());
    }
  }
  if (moved) announce(trx, { kind: 'balance-changed', id: ownerId, ownerId });
  return state !== grant.state || moved;
}

function grantStateOf(payment: PaymentReport): AccessGrant['state'] {
  if (isGivenBack(payment)) return 'ended';
  const isOpen = payment.disputes.some(
    (dispute) => dispute.stage === 'open' || isWithheld(payment, dispute.id),
  );
  return isOpen ? 'suspended' : 'active';
}

/** Whether a payment was refunded in full, or lost in a dispute: nothing is owed for it. */
export function isGivenBack(payment: PaymentReport): boolean {
  const { amountCents, refunds, disputes } = payment;
  const refundedCents = refunds
    .filter(({ state }) => state === 'succeeded')
    .reduce((sum, refund) => sum + refund.amountCents, 0);
  const isLost = disputes.some(({ id, stage }) => stage === 'lost' && isWithheld(payment, id));
  return refundedCents >= amountCents || isLost;
}

/** Cents that inquiries and open disputes are about, but did not take. */
function claimedCentsOf(payment: PaymentReport): number {
  return payment.disputes
    .filter(({ id, stage }) => ['inquiry', 'open'].includes(stage) && !isWithheld(payment, id))
    .reduce((sum, { amountCents }) => sum + amountCents, 0);
}

/** Whether a dispute took more than it gave back: then no stage of it leaves the content. */
function isWithheld({ disputeMovements }: PaymentReport, id: string): boolean {
  const moved = disputeMovements.filter(({ disputeId }) => disputeId === id);
  return moved.reduce((sum, { amountCents }) => sum + amountCents, 0) < 0;
}
