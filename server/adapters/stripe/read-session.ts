import Stripe from 'stripe';
import { gather } from '../../lib/gather.ts';
import type { CheckoutSession } from '../../payments/card-provider.ts';
import { readNotes } from './notes.ts';
import { PAGE } from './read-payment.ts';

/** Sessions that are asked about one by one at a time. */
const ONE_BY_ONE = 4;
/** What was paid since, for each that is asked about: it is listed before them. */
const MOST_BESIDE = 4;

/**
 * Asks about one session at a time, and about many together: what was paid lately, the provider tells
 * in one answer. It allows an account fewer calls in a second than a shop may sell.
 */
export function sessionReader(stripe: Stripe) {
  let asked = 0;
  const listPaid = gather((sessionIds: string[]) =>
    listLatestPaid(stripe, MOST_BESIDE * sessionIds.length).catch(() => NONE),
  );

  async function retrieve(sessionId: string): Promise<CheckoutSession | null> {
    // Whether a delayed payment failed, only the payment intent says.
    const expand = ['payment_intent'];
    const session = stripe.checkout.sessions.retrieve(sessionId, { expand });
    return orNullWhenMissing(session.then(toSession));
  }

  return async (sessionId: string): Promise<CheckoutSession | null> => {
    const paid = asked < ONE_BY_ONE ? null : (await listPaid(sessionId)).get(sessionId);
    if (paid) return paid;
    asked += 1;
    return retrieve(sessionId).finally(() => {
      asked -= 1;
    });
  };
}

/** Without the list, each is asked about. */
const NONE: Map<string, CheckoutSession> = new Map();

/** Those of the newest events that say a session is paid, as the provider itself lists them. */
async function listLatestPaid(
  stripe: Stripe,
  count: number,
): Promise<Map<string, CheckoutSession>> {
  const { data } = await stripe.events.list({
    types: ['checkout.session.completed', 'checkout.session.async_payment_succeeded'],
    limit: Math.min(count, PAGE),
  });
  const sessions = data
    // An account of another version is told of sessions in another shape.
    .filter(({ api_version }) => api_version === Stripe.API_VERSION)
    .map((event) => event.data.object as Stripe.Checkout.Session)
    .map(toSession);
  return new Map(sessions.filter(({ paid }) => paid).map((session) => [session.id, session]));
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
  const intent = session.payment_intent;
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
    paymentIntentId: typeof intent === 'string' ? intent : (intent?.id ?? null),
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
