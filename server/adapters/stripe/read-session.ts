import Stripe from 'stripe';
import { gather } from '../../ground/lib/gather.ts';
import type { CardProvider, CheckoutSession } from '../../selling/purchases/card-provider.ts';
import { readNotes } from './notes.ts';
import { idOf, PAGE } from './read-payment.ts';

interface Told {
  sessionId: string;
  /** When the provider told of the payment, UTC milliseconds. */
  at: number;
}

/** So many lists are asked for at once, where the provider has room: nobody waits for one to end. */
const LISTS_AT_ONCE = 3;

/**
 * Asks about one session at a time, and about many together: what was paid within some seconds, the
 * provider tells in one answer. It allows an account fewer calls in a second than a shop may sell.
 * Whoever was told of no payment has the answer that is under way for who was.
 * @param hasRoom whether the provider may be asked far more than it is
 */
export function sessionReader(
  stripe: Stripe,
  hasRoom: () => boolean,
): CardProvider['retrieveCheckout'] {
  let asking = 0;
  const ofTold = new Map<string, Promise<CheckoutSession | null>>();
  const listPaid = gather(
    (told: Told[]) => findPaid(stripe, told),
    () => (hasRoom() ? LISTS_AT_ONCE : 1),
  );

  async function retrieve(sessionId: string): Promise<CheckoutSession | null> {
    // Whether a delayed payment failed, only the payment intent says.
    const expand = ['payment_intent'];
    const session = stripe.checkout.sessions.retrieve(sessionId, { expand });
    return orNullWhenMissing(session.then(toSession));
  }

  async function read(sessionId: string, toldAt: number | undefined) {
    const isRecent = toldAt !== undefined && Date.now() - toldAt < LISTED_FOR_MS;
    const isOneOfMany = isRecent && asking > 0;
    asking += 1;
    try {
      const paid = isOneOfMany ? await listPaid({ sessionId, at: toldAt }) : null;
      return paid?.get(sessionId) ?? (await retrieve(sessionId));
    } finally {
      asking -= 1;
    }
  }

  return (sessionId, toldAt) => {
    if (toldAt === undefined) return ofTold.get(sessionId) ?? read(sessionId, toldAt);
    const reading = read(sessionId, toldAt).finally(() => {
      if (ofTold.get(sessionId) === reading) ofTold.delete(sessionId);
    });
    ofTold.set(sessionId, reading);
    return reading;
  };
}

/** What was told longer ago, in milliseconds, is asked about alone: a list would span all since. */
const LISTED_FOR_MS = 60_000;
/** Seconds whose payments are listed at once. */
const LISTED_TOGETHER = 2;
/**
 * The newest come first, and each is as long as a session: so many more are asked for than were told of,
 * which is what a hundred sales a second bring in while an event travels and waits. Others take a call more.
 */
const NEWER = 40;
/** Beyond the newest, so many pages are looked through. */
const FURTHER_PAGES = 5;

/**
 * Those that are paid, by the events of these seconds as the provider itself lists them. After a while
 * in which nothing was heard, they are far apart, and far more was paid between them.
 */
async function findPaid(stripe: Stripe, told: Told[]): Promise<Map<string, CheckoutSession>> {
  const windows = Map.groupBy(told, ({ at }) => Math.floor(at / 1000 / LISTED_TOGETHER));
  const found = await Promise.all(
    [...windows.values()].map((ofWindow) => listPaidIn(stripe, ofWindow)),
  );
  return new Map(found.flat());
}

/** From the second in which the first of them was told to that of the last: each event is as long as a session. */
async function listPaidIn(stripe: Stripe, told: Told[]): Promise<[string, CheckoutSession][]> {
  const missing = new Set(told.map(({ sessionId }) => sessionId));
  const seconds = told.map(({ at }) => Math.floor(at / 1000));
  const asked: Stripe.EventListParams = {
    types: ['checkout.session.completed', 'checkout.session.async_payment_succeeded'],
    created: { gte: Math.min(...seconds), lte: Math.max(...seconds) },
    limit: Math.min(PAGE, missing.size + NEWER),
  };
  const paid: [string, CheckoutSession][] = [];
  try {
    for (let page = 0; page <= FURTHER_PAGES; page += 1) {
      const { data: events, has_more } = await stripe.events.list(asked);
      for (const { api_version, data } of events) {
        const session = data.object as Stripe.Checkout.Session;
        // An account of another version is told of sessions in another shape.
        if (api_version !== Stripe.API_VERSION || !missing.delete(session.id)) continue;
        if (session.payment_status === 'paid') paid.push([session.id, toSession(session)]);
      }
      const last = events.at(-1);
      if (missing.size === 0 || !has_more || last?.api_version !== Stripe.API_VERSION) break;
      Object.assign(asked, { starting_after: last.id, limit: PAGE });
    }
  } catch {
    // Those that were not found are asked about one by one.
  }
  return paid;
}

export async function orNullWhenMissing<Found>(answer: Promise<Found>): Promise<Found | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError && error.code === 'resource_missing')
      return null;
    throw error;
  }
}

export function toSession(session: Stripe.Checkout.Session): CheckoutSession {
  return {
    id: session.id,
    url: session.url,
    ...readNotes(session),
    status: toStatus(session.status),
    mode: session.livemode ? 'live' : 'test',
    paid: session.payment_status === 'paid',
    failed: isFailed(session),
    taxed: session.automatic_tax.enabled,
    subtotalCents: session.amount_subtotal ?? 0,
    taxCents: session.total_details?.amount_tax ?? 0,
    discountCents: session.total_details?.amount_discount ?? 0,
    totalCents: session.amount_total ?? 0,
    currency: session.currency ?? '',
    paymentIntentId: idOf(session.payment_intent),
    buyerEmail: session.customer_details?.email ?? session.customer_email,
    successUrl: session.success_url,
    createdAt: session.created * 1000,
    expiresAt: session.expires_at * 1000,
  };
}

/** A checkout cannot be paid again once it is complete: its delayed payment did not arrive. */
function isFailed({ status, payment_status, payment_intent: intent }: Stripe.Checkout.Session) {
  const isUnpaid = status === 'complete' && payment_status === 'unpaid';
  if (!isUnpaid || !intent || typeof intent === 'string') return false;
  return intent.status === 'requires_payment_method' || intent.status === 'canceled';
}

/** An unknown newer status counts as open: nothing is granted for it. */
function toStatus(status: Stripe.Checkout.Session['status']): CheckoutSession['status'] {
  if (status === 'complete') return 'complete';
  return status === 'expired' ? 'expired' : 'open';
}
