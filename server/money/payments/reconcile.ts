import { formatCents } from '../../../contract/money.ts';
import { EntryConflictError } from '../../books/ledger/post-entry.ts';
import { RefundTooLargeError } from '../../books/ledger/record-refund.ts';
import type { Database } from '../../ground/database/tables.ts';
import { readPages } from '../../ground/lib/read-pages.ts';
import { HOUR_MS } from '../../ground/lib/time.ts';
import { retryJobs } from '../../ground/outbox/jobs.ts';
import {
  type CheckoutSession,
  PaymentUnreadableError,
} from '../../selling/purchases/card-provider.ts';
import { fulfilPurchase, PaymentMismatchError } from '../../selling/purchases/fulfil-purchase.ts';
import { findLines, findPurchase, selectPurchases } from '../../selling/purchases/queries.ts';
import { IMPORTED, type PaymentLine } from '../../selling/purchases/tables.ts';
import { closeGap } from './catch-up.ts';
import { isLost, recoverPurchase } from './lost-purchase.ts';
import { isGivenBack, type ReviewContext, reviewPayment } from './review-payment.ts';

/** What a comparison found so far: it holds also when the comparison breaks off. */
interface Reconciliation {
  /** Paid sessions of this installation that the provider listed. */
  compared: number;
  /** What differed and was repaired, a sentence each. */
  mended: string[];
  /** What needs a person's attention, a sentence each. */
  faults: string[];
}

interface Comparison {
  /** UTC milliseconds. */
  since: number;
  /** What is found is added to it as it is found. */
  found: Reconciliation;
  /** Told each time that one more was compared. */
  onCompared(): void;
}

const PAGE = 500;

/**
 * Compares the provider's checkouts since a time with the purchases here, both ways. What is paid
 * there and not settled here is settled, what was given back is followed, and a purchase that is
 * missing here is written again where that is safe.
 */
export async function reconcile(context: ReviewContext, comparison: Comparison): Promise<void> {
  const { found } = comparison;
  try {
    await compareAll(context, comparison);
    await closeGap(context, comparison.since);
  } finally {
    // Their letters died of what is mended now.
    if (found.mended.length > 0) {
      await retryJobs(context.db, context.now())
        .where('died_at', 'is not', null)
        .where('lane', '!=', 'mail')
        .execute();
    }
  }
}

async function compareAll(
  context: ReviewContext,
  { since, found, onCompared }: Comparison,
): Promise<void> {
  const { provider, now } = context;
  const paid = new Set<string>();
  // A clock that is behind the provider's must not hide its newest sessions.
  for await (const session of provider.listCheckouts(since, now() + HOUR_MS)) {
    try {
      if (!(await compareSession(context, session, found))) continue;
    } catch (error) {
      if (!(error instanceof PaymentUnreadableError)) throw error;
      found.faults.push(`${describe(session)} could not be compared: ${error.message}`);
    }
    paid.add(session.id);
    found.compared = paid.size;
    onCompared();
  }
  await findUnpaidSales(context, since, paid, found);
  await followReturns(context, since, found);
}

/** @returns whether it is a paid session of this installation */
async function compareSession(
  context: ReviewContext,
  session: CheckoutSession,
  found: Reconciliation,
): Promise<boolean> {
  if (!session.paid || !session.purchaseId) return false;
  const purchase = await findPurchase(context.db, session.purchaseId);
  if (purchase?.provider_account === IMPORTED) return false;
  if (!purchase && !(await isLost(context, session))) return false;
  if (purchase) await compare(context, purchase, session, found);
  else await recover(context, session, found);
  return true;
}

async function compare(
  context: ReviewContext,
  purchase: PaymentLine,
  session: CheckoutSession,
  { mended, faults }: Reconciliation,
): Promise<void> {
  if (purchase.session_id && purchase.session_id !== session.id) {
    if (await isReturned(context, session)) return;
    faults.push(
      `${describe(session)} belongs to purchase ${purchase.id}, which was opened as ${purchase.session_id}. ${refund(session)}`,
    );
  } else if (purchase.state !== 'settled') {
    try {
      await fulfilPurchase(context, session.id);
      mended.push(`${describe(session)} is now settled; purchase ${purchase.id} was not.`);
    } catch (error) {
      if (!(error instanceof PaymentMismatchError)) throw error;
      if (await isReturned(context, session)) return;
      faults.push(
        `${describe(session)} does not match what was offered. ${error.message}. ${refund(session)}`,
      );
    }
  } else {
    const booked = await sumBooked(context.db, purchase);
    if (
      session.subtotalCents !== booked.priceCents ||
      session.taxCents !== booked.taxCents ||
      session.paymentIntentId !== booked.payment
    ) {
      faults.push(
        `${describe(session)} is booked as $${formatCents(booked.priceCents)} and $${formatCents(booked.taxCents)} of tax, paid by ${booked.payment}.`,
      );
    }
  }
}

/** What the books have of a payment. */
async function sumBooked(db: Database, purchase: PaymentLine) {
  const lines = await findLines(db, purchase.payment_id);
  const sum = (cents: (line: PaymentLine) => number) =>
    lines.reduce((total, line) => total + cents(line), 0);
  return {
    priceCents: sum(({ price_cents }) => price_cents),
    taxCents: sum(({ tax_cents }) => tax_cents),
    payment: purchase.payment_intent_id,
  };
}

async function isReturned(
  { provider }: ReviewContext,
  { paymentIntentId }: CheckoutSession,
): Promise<boolean> {
  return paymentIntentId !== null && isGivenBack(await provider.retrievePayment(paymentIntentId));
}

async function recover(
  context: ReviewContext,
  session: CheckoutSession,
  { mended, faults }: Reconciliation,
): Promise<void> {
  const obstacle = await recoverPurchase(context, session);
  if (obstacle === null) {
    mended.push(
      `${describe(session)} was missing here and has been recovered; its buyer gets an email.`,
    );
  } else {
    faults.push(
      `${describe(session)} is missing here and was not recovered: ${obstacle}. ${refund(session)}`,
    );
  }
}

/** Sales here that the provider does not know, or that nobody paid there. */
async function findUnpaidSales(
  { db, provider }: ReviewContext,
  since: number,
  paid: Set<string>,
  { faults }: Reconciliation,
): Promise<void> {
  const account = await provider.account();
  const pages = readPages({ id: '' }, ({ id }) =>
    selectPurchases(db)
      .where('state', '=', 'settled')
      .where('settled_at', '>=', since)
      .where('price_cents', '>', 0)
      .where('provider_account', '=', account)
      .where('mode', '=', provider.mode)
      .where('purchase.id', '>', id)
      .orderBy('purchase.id')
      .limit(PAGE)
      .execute(),
  );
  for await (const sales of pages) {
    for (const sale of sales) {
      if (sale.session_id && paid.has(sale.session_id)) continue;
      const fault = await findFault(sale);
      if (fault) {
        faults.push(
          `Purchase ${sale.id} ($${formatCents(sale.price_cents)}, session ${sale.session_id}) is settled here, but ${fault}.`,
        );
      }
    }
  }

  async function findFault(sale: PaymentLine): Promise<string | null> {
    const session = sale.session_id ? await provider.retrieveCheckout(sale.session_id) : null;
    if (!session) return 'the provider does not know the session';
    return session.paid ? null : 'the provider says that it was not paid';
  }
}

/** Refunds and disputes of these days, and those that were undecided when they began. */
async function followReturns(
  context: ReviewContext,
  since: number,
  { mended, faults }: Reconciliation,
): Promise<void> {
  const { db, provider } = context;
  const payments = await provider.listReturnedPayments(since);
  const undecided = await db
    .selectFrom('access_grant')
    .innerJoin('purchase', 'purchase.id', 'access_grant.purchase_id')
    .innerJoin('payment', 'payment.id', 'purchase.payment_id')
    .leftJoin('reserve', 'reserve.purchase_id', 'purchase.id')
    .where(({ eb, or }) =>
      or([eb('access_grant.state', '=', 'suspended'), eb('reserve.purchase_id', 'is not', null)]),
    )
    .where('purchase.provider_account', '=', await provider.account())
    .where('purchase.mode', '=', provider.mode)
    .select('payment.payment_intent_id')
    .execute();
  for (const { payment_intent_id: id } of undecided) if (id) payments.add(id);
  for (const payment of payments) {
    try {
      const changed = await reviewPayment(context, payment);
      if (changed) mended.push(`Payment ${payment}: its refunds and disputes are now booked.`);
    } catch (error) {
      if (error instanceof PaymentUnreadableError) {
        faults.push(`Payment ${payment}: its outcome cannot be read: ${error.message}`);
        continue;
      }
      if (!(error instanceof RefundTooLargeError || error instanceof EntryConflictError))
        throw error;
      faults.push(`The refunds of payment ${payment} do not match the books: ${error.message}.`);
    }
  }
}

function describe({ id, subtotalCents, buyerEmail, linkId, createdAt }: CheckoutSession): string {
  const day = new Date(createdAt).toISOString().slice(0, 10);
  const buyer = buyerEmail ?? 'an unknown address';
  return `Session ${id} ($${formatCents(subtotalCents)} from ${buyer} for link ${linkId} on ${day})`;
}

function refund({ paymentIntentId }: CheckoutSession): string {
  return `Refund payment ${paymentIntentId} at the provider, or deliver what was paid for.`;
}
