import Stripe from 'stripe';

/** Names nothing: a call about it changes nothing, and is refused first for want of permission. */
const NOBODY = 'padlink_permission_check';
const ONE = { limit: 1 };

/** What the key must allow, in the words of the provider's dashboard, and a call that tells. */
const PERMISSIONS: [string, (stripe: Stripe) => Promise<unknown>][] = [
  ['Checkout Sessions (Write)', ({ checkout }) => checkout.sessions.expire(`cs_${NOBODY}`)],
  ['Checkout Sessions (Read)', ({ checkout }) => checkout.sessions.list(ONE)],
  ['PaymentIntents (Read)', ({ paymentIntents }) => paymentIntents.list(ONE)],
  ['Charges and Refunds (Read)', ({ charges }) => charges.list(ONE)],
  ['Charges and Refunds (Write)', createNoRefund],
  ['Disputes (Read)', ({ disputes }) => disputes.list(ONE)],
  ['Balance (Read)', ({ balanceTransactions }) => balanceTransactions.list(ONE)],
  ['Events (Read)', ({ events }) => events.list(ONE)],
];

function createNoRefund({ refunds }: Stripe): Promise<unknown> {
  return refunds.create({ payment_intent: `pi_${NOBODY}` });
}

const KEYS = 'https://dashboard.stripe.com/apikeys';
const ENDPOINTS = 'https://dashboard.stripe.com/webhooks';

/** @throws StripeError when the provider does not answer, or does not know the key */
export async function findMissingPermissions(stripe: Stripe): Promise<string[]> {
  const missing = await Promise.all(
    PERMISSIONS.map(async ([name, call]) => ((await isAllowed(call(stripe))) ? [] : [name])),
  );
  return missing
    .flat()
    .map((name) => `STRIPE_SECRET_KEY lacks the permission ${name}. Grant it at ${KEYS}.`);
}

async function isAllowed(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (error instanceof Stripe.errors.StripePermissionError) return false;
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return true;
    throw error;
  }
}

/** @param needed types of events */
export async function findEndpointFaults(
  stripe: Stripe,
  url: string,
  needed: string[],
): Promise<string[]> {
  const asked = stripe.webhookEndpoints.list({ limit: 100 });
  if (!(await isAllowed(asked))) {
    return [
      `STRIPE_SECRET_KEY lacks the permission Webhook Endpoints (Read), which only this check needs. Grant it at ${KEYS}, or compare the events at ${ENDPOINTS} yourself.`,
    ];
  }
  const endpoint = (await asked).data.find((candidate) => candidate.url === url);
  if (!endpoint) return [`There is no webhook endpoint for ${url}. Create it at ${ENDPOINTS}.`];
  if (endpoint.status !== 'enabled') {
    return [`The webhook endpoint for ${url} is disabled. Enable it at ${ENDPOINTS}.`];
  }
  const sent = new Set(endpoint.enabled_events);
  const missing = sent.has('*') ? [] : needed.filter((type) => !sent.has(type));
  if (missing.length === 0) return [];
  return [
    `The webhook endpoint for ${url} does not send ${missing.join(', ')}. Add them at ${ENDPOINTS}.`,
  ];
}
