import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { NO_PAYMENT, recordSale, type Sale } from '../../books/ledger/record-sale.ts';
import { dialectOf } from '../../ground/database/dialect.ts';
import { addressOfBuyer } from '../../ground/database/mailbox-of.ts';
import { prepare } from '../../ground/database/prepare.ts';
import type {
  Database,
  DatabaseContext,
  DatabaseTransaction,
} from '../../ground/database/tables.ts';
import { announce, beforeCommit, transaction } from '../../ground/database/transaction.ts';
import { spread } from '../../ground/lib/spread.ts';
import { HOUR_MS } from '../../ground/lib/time.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';
import { gatheringOf, tellSeller } from '../../notices/notifications/tell-seller.ts';
import { beginRefund } from './begin-refund.ts';
import type { CardProvider, CheckoutSession } from './card-provider.ts';
import { isGivenBySeller } from './gifts.ts';
import { giveLicenseKeys } from './give-license-keys.ts';
import { paymentKind } from './payment-kind.ts';
import { findLines, findPurchase } from './queries.ts';
import { contentsOf, sizeOfSoldFiles } from './sold-parts.ts';
import type { AccessGrant, PaymentLine, Purchase } from './tables.ts';
import { tellSale } from './tell-sale.ts';

/**
 * The provider reports a payment that differs from what was offered: never fulfilled automatically.
 */
export class PaymentMismatchError extends Error {
  override name = 'PaymentMismatchError';
}

export interface FulfilmentContext extends DatabaseContext {
  provider: CardProvider;
}

/**
 * Brings our purchase to the state that the provider reports, and grants the content once it is
 * paid. Idempotent: the webhook, its repetitions and the success page may all call it at once.
 * @returns the first purchase that it pays, or null for a session that is not ours
 * @param toldAt when the provider told of its payment, if it did; UTC milliseconds
 * @throws PaymentMismatchError when an amount, currency, account or mode differs from the snapshot
 */
export async function fulfilPurchase(
  context: FulfilmentContext,
  sessionId: string,
  toldAt?: number,
): Promise<PaymentLine | null> {
  const { db, provider } = context;
  const session = await provider.retrieveCheckout(sessionId, toldAt);
  const purchases = session && (await findPurchasesOfSession(db, session));
  if (!purchases) return null;
  if (purchases[0].state === 'settled') return purchases[0];
  if (!session.paid) return recordUnpaid(context, purchases, session);
  const paymentIntentId = await verifyPayment(purchases, session, provider);
  const { taxCents, buyerEmail } = session;
  const payment = { session_id: session.id, payment_intent_id: paymentIntentId };
  return transaction(context.db, (trx) =>
    settle(trx, purchases, { payment, taxCents, buyerEmail }, context.now()),
  );
}

/** What a settlement goes by. */
interface Settlement {
  /** Null where nothing had to be paid. */
  payment: Record<'session_id' | 'payment_intent_id', string> | null;
  taxCents: number;
  buyerEmail: string | null;
}

/** Settles purchases that cost nothing, in the transaction that begins them. */
export async function settleFree(
  trx: DatabaseTransaction,
  purchases: PaymentLine[],
  buyerEmail: string | null,
  now: number,
): Promise<void> {
  const [first, ...others] = purchases;
  const unpaid = { payment: null, taxCents: 0, buyerEmail };
  if (first) await settle(trx, [first, ...others], unpaid, now);
}

/** Two days for the buyer to come back. */
const WATCHED_AFTER_MS = 2 * 24 * 60 * 60 * 1000;

/** All purchases of a payment settle together, or none. */
async function settle(
  trx: DatabaseTransaction,
  purchases: [PaymentLine, ...PaymentLine[]],
  { payment, taxCents, buyerEmail }: Settlement,
  now: number,
): Promise<PaymentLine | null> {
  const [{ id, payment_id: paymentId }] = purchases;
  const taxes = spread(
    taxCents,
    purchases.map(({ price_cents }) => price_cents),
  );
  const brought = await findBrought(trx, purchases);
  let first: PaymentLine | undefined;
  for (const [index, purchase] of purchases.entries()) {
    const contents = brought.filter(({ purchase_id }) => purchase_id === purchase.id);
    // Of a bundle, a part is enough.
    const wasTakenDown = contents.some(({ taken_down_at }) => taken_down_at !== null);
    const line = { payment, buyerEmail, taxCents: taxes[index] ?? 0, wasTakenDown };
    const settled = await settleLine(trx, purchase, line, now);
    // Another caller was faster: with the first line it has them all.
    if (!settled) break;
    if (!wasTakenDown) await giveLicenseKeys(trx, contents, now);
    if (index > 0) continue;
    first = settled;
    if (payment) {
      // A refund or dispute reported before this moment found no purchase to act on.
      const { payment_intent_id: paymentIntentId } = payment;
      await enqueue(trx, 'review-payment', { paymentIntentId }, now);
    }
    if (buyerEmail) await enqueue(trx, paymentKind(purchases).receipt, { purchaseId: id }, now);
    if (purchase.gift_email) await enqueue(trx, 'send-gift', { purchaseId: id }, now);
  }
  // After the purchases, which whoever writes both takes first.
  if (first && payment) await writePaid(trx, { id: paymentId, ...payment });
  await emptyCart(trx, purchases);
  return first ?? findPurchase(trx, id);
}

/**
 * What they bring. A take-down that comes later waits for the settlement, and so finds all whom it takes
 * the content from. Links are locked in the order in which checkouts do.
 */
const findBrought = (trx: DatabaseTransaction, purchases: Purchase[]) =>
  readContents(
    trx,
    purchases.map(({ id }) => id),
  );

const readContents = prepare((db, purchaseIds: string[]) =>
  db
    .selectFrom(contentsOf(db, purchaseIds).as('sold'))
    .innerJoin('link', 'link.id', 'sold.link_id')
    .orderBy('link.owner_id')
    .orderBy('link.id')
    .select(['sold.purchase_id', 'sold.link_id', 'link.taken_down_at', 'link.license_keys'])
    .$if(dialectOf(db) === 'postgres', (query) => query.forShare('link')),
);

/** Takes out of the browser's cart what is paid for. */
async function emptyCart(db: Database, purchases: [PaymentLine, ...PaymentLine[]]): Promise<void> {
  // What somebody gives may be in their cart for themselves.
  if (purchases[0].gift_email !== null) return;
  const linkIds = purchases.map(({ link_id }) => link_id);
  await removeItems(db, purchases[0].claim_hash, linkIds);
}

const removeItems = prepare((db, claimHash: string, linkIds: string[]) =>
  db.deleteFrom('cart_item').where('claim_hash', '=', claimHash).where('link_id', 'in', linkIds),
);

type PaidPayment = { id: string } & NonNullable<Settlement['payment']>;

/** The session's own row may not be written yet. */
const writePaid = prepare((db, { id, session_id, payment_intent_id }: PaidPayment) =>
  db
    .insertInto('payment')
    .values({ id, session_id, checkout_url: null, payment_intent_id })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet(({ ref }) => ({ payment_intent_id: ref('excluded.payment_intent_id') })),
    ),
);

/** @returns undefined where it was settled before: of all parallel callers exactly one sees it change */
async function settleLine(
  trx: DatabaseTransaction,
  purchase: PaymentLine,
  line: Settlement & { wasTakenDown: boolean },
  now: number,
): Promise<PaymentLine | undefined> {
  const { id, seller_id: ownerId } = purchase;
  const settling = { id, ownerId, hourAgo: now - HOUR_MS };
  const [written] = await writeSettled(trx, settling, {
    ...addressOfBuyer(line.buyerEmail),
    settled_at: now,
    tax_cents: line.taxCents,
    // Whom nobody can write to is not reminded either.
    watch_at: line.payment || line.buyerEmail ? now + WATCHED_AFTER_MS : null,
  });
  if (!written) return undefined;
  const { gathering, ...row } = written;
  const settled: PaymentLine = { ...purchase, ...row, ...line.payment };
  const { link_id: linkId } = settled;
  const isGift = settled.gift_email !== null;
  const grantId = randomUUID();
  const buyer_id = isGift ? null : settled.buyer_id;
  await insertGrant(trx, { id: grantId, purchase_id: id, link_id: linkId, buyer_id }, now);
  // A gift is nobody's until its personal link is opened.
  if (!isGift) {
    await insertClaim(trx, grantId, settled.claim_hash);
  }
  await recordSale(trx, saleOf(settled), now);
  await tellSale(trx, settled, { type: 'sale.created' }, now);
  // Who gave it knows of it.
  if (!isGivenBySeller(settled)) {
    // It may lock a row of the seller's, which other sales wait for.
    beforeCommit(trx, 'notices', () => tellSeller(trx, settled, gathering, now));
  }
  if (line.wasTakenDown) {
    const because = 'taken-down';
    await beginRefund(trx, { purchase: settled, because }, now);
    settled.refunded_because = because;
  }
  await enqueue(trx, 'follow-settlement', { purchaseId: id }, now);
  announce(trx, { kind: 'access-changed', id: linkId, ownerId, grantId });
  announce(trx, { kind: 'balance-changed', id: ownerId, ownerId });
  announce(trx, { kind: 'sale-made', id, ownerId });
  return settled;
}

type Settled = Pick<
  Purchase,
  'buyer_email' | 'buyer_mailbox' | 'settled_at' | 'tax_cents' | 'watch_at'
>;

interface Settling {
  id: string;
  ownerId: string;
  hourAgo: number;
}

const writeSettled = prepare((db, { id, ownerId, hourAgo }: Settling, settled: Settled) =>
  db
    .updateTable('purchase')
    .set({
      state: 'settled',
      buyer_email: settled.buyer_email,
      buyer_mailbox: settled.buyer_mailbox,
      settled_at: settled.settled_at,
      tax_cents: settled.tax_cents,
      watch_at: settled.watch_at,
    })
    .where('id', '=', id)
    .where('state', '!=', 'settled')
    .returningAll()
    .returning(gatheringOf(db, ownerId, hourAgo).as('gathering')),
);

type NewGrant = Pick<AccessGrant, 'id' | 'purchase_id' | 'link_id' | 'buyer_id'>;

const insertGrant = prepare((db, { id, purchase_id, link_id, buyer_id }: NewGrant, now: number) =>
  db.insertInto('access_grant').values({
    id,
    purchase_id,
    link_id,
    buyer_id,
    state: 'active',
    created_at: now,
    updated_at: now,
    size_bytes: sizeOfSoldFiles(sql.val(purchase_id)),
    position: nextPosition(db),
  }),
);

const insertClaim = prepare((db, grantId: string, claimHash: string) =>
  db.insertInto('grant_claim').values({ grant_id: grantId, claim_hash: claimHash }),
);

/** Grants are counted by the database: the clocks of two processes may differ by seconds. */
function nextPosition(db: Database) {
  return dialectOf(db) === 'postgres'
    ? sql<number>`nextval('access_grant_position')`
    : sql<number>`(select coalesce(max(position), 0) + 1 from access_grant)`;
}

/** The webhook may arrive before the session's id was written: the session names our payment. */
async function findPurchasesOfSession(
  db: Database,
  session: CheckoutSession,
): Promise<[PaymentLine, ...PaymentLine[]] | null> {
  if (!session.paymentId) return null;
  const [first, ...others] = await findLines(db, session.paymentId);
  if (!first || (first.session_id && first.session_id !== session.id)) return null;
  return [first, ...others];
}

async function verifyPayment(
  purchases: [PaymentLine, ...PaymentLine[]],
  session: CheckoutSession,
  provider: CardProvider,
): Promise<string> {
  const account = await provider.account();
  const [purchase] = purchases;
  const agreedCents = purchases.reduce((sum, { price_cents }) => sum + price_cents, 0);
  const faults = [
    session.subtotalCents !== agreedCents &&
      `paid ${session.subtotalCents} instead of ${agreedCents} cents`,
    session.purchaseId !== purchase.id && `paid for purchase ${session.purchaseId}`,
    session.currency !== purchase.currency && `paid in ${session.currency}`,
    account !== purchase.provider_account && 'paid on another provider account',
    session.mode !== purchase.mode && `paid in ${session.mode} mode`,
    !session.paymentIntentId && 'no payment intent',
    session.discountCents !== 0 && `a discount of ${session.discountCents} cents`,
    session.taxed !== (purchase.taxed === 1) &&
      `paid ${session.taxed ? 'with' : 'without'} the provider’s taxes`,
    (session.taxCents < 0 || (session.taxCents > 0 && !session.taxed)) &&
      `a tax of ${session.taxCents} cents`,
    session.totalCents !== session.subtotalCents + session.taxCents &&
      `a total of ${session.totalCents} instead of ${session.subtotalCents + session.taxCents} cents`,
  ].filter(Boolean);
  if (faults.length > 0 || !session.paymentIntentId) {
    throw new PaymentMismatchError(`Purchase ${purchase.id}: ${faults.join(', ')}`);
  }
  return session.paymentIntentId;
}

/** One that was ended here may have been completed, faster, at the provider. */
const UNPAID = ['open', 'processing', 'expired'] as const;

async function recordUnpaid(
  { db, now }: FulfilmentContext,
  purchases: [PaymentLine, ...PaymentLine[]],
  session: CheckoutSession,
): Promise<PaymentLine> {
  const [purchase] = purchases;
  const ids = purchases.map(({ id }) => id);
  if (session.failed) {
    const failed = await failPurchases({ db, now }, ids, session.buyerEmail);
    return { ...purchase, ...failed };
  }
  const reported = ({ open: 'open', complete: 'processing', expired: 'expired' } as const)[
    session.status
  ];
  const isSaid = purchases.every(({ state }) => state === reported);
  if (isSaid || reported === 'open') return purchase;
  // Or whoever puts in something else is led to the payment that is under way.
  if (reported === 'processing') {
    await emptyCart(db, purchases);
    await keepSession(db, purchase.payment_id, session.id);
  }
  const changed = await db
    .updateTable('purchase')
    .set({ state: reported, ...addressOfBuyer(session.buyerEmail) })
    .where('id', 'in', ids)
    .where('state', 'in', UNPAID)
    .returningAll()
    .execute();
  if (reported === 'processing') announceChanged(db, changed);
  return { ...purchase, ...changed.find(({ id }) => id === purchase.id) };
}

/** The process that opened it may have died before it wrote it down. */
const keepSession = prepare((db, id: string, sessionId: string) =>
  db
    .insertInto('payment')
    .values({ id, session_id: sessionId, checkout_url: null, payment_intent_id: null })
    .onConflict((conflict) => conflict.doNothing()),
);

function announceChanged(
  db: Database,
  purchases: Pick<Purchase, 'id' | 'link_id' | 'seller_id'>[],
): void {
  for (const { id: purchaseId, link_id: id, seller_id: ownerId } of purchases) {
    announce(db, { kind: 'payment-changed', id, ownerId, purchaseId });
  }
}

/**
 * A delayed payment that did not arrive: the buyer, who may have left the page, is notified by
 * email.
 * @returns the first of them, or undefined when it was over already
 */
async function failPurchases(
  { db, now }: DatabaseContext,
  ids: string[],
  buyerEmail: string | null,
): Promise<Purchase | undefined> {
  return transaction(db, async (trx) => {
    const failed = await trx
      .updateTable('purchase')
      .set({ state: 'failed', ...addressOfBuyer(buyerEmail) })
      .where('id', 'in', ids)
      .where('state', 'in', UNPAID)
      .returningAll()
      .execute();
    const first = failed.find(({ id }) => id === ids[0]);
    if (first && buyerEmail) {
      await enqueue(trx, 'send-payment-failed', { purchaseId: first.id }, now());
    }
    announceChanged(trx, failed);
    return first;
  });
}

/** A settled purchase as the ledger knows it. @throws Error for one that is not settled */
export function saleOf(purchase: PaymentLine): Sale {
  const paymentIntentId = purchase.price_cents === 0 ? NO_PAYMENT : purchase.payment_intent_id;
  if (paymentIntentId === null || purchase.settled_at === null) {
    throw new Error(`Purchase ${purchase.id} is not settled`);
  }
  return {
    paymentIntentId,
    purchaseId: purchase.id,
    linkId: purchase.link_id,
    sellerId: purchase.seller_id,
    grossCents: purchase.price_cents,
    feeCents: purchase.fee_cents,
    taxCents: purchase.tax_cents,
    currency: purchase.currency,
    mode: purchase.mode,
    providerAccount: purchase.provider_account,
    soldAt: purchase.settled_at,
  };
}
