import Stripe from 'stripe';
import { EVENTS } from './read-events.ts';
import { isOfNoSuchAccount } from './send-payouts.ts';

/** Names nothing: a call about it changes nothing, and is refused first for want of permission. */
const NOBODY = 'padlink_permission_check';
const ONE = { limit: 1 };

type Permission = [string, (stripe: Stripe) => Promise<unknown>];

/** What the key must allow, in the words of the provider's dashboard, and a call that tells. */
const PERMISSIONS: Permission[] = [
  ['Checkout Sessions (Write)', ({ checkout }) => checkout.sessions.expire(`cs_${NOBODY}`)],
  ['Checkout Sessions (Read)', ({ checkout }) => checkout.sessions.list(ONE)],
  ['PaymentIntents (Read)', ({ paymentIntents }) => paymentIntents.list(ONE)],
  ['Charges and Refunds (Read)', ({ charges }) => charges.list(ONE)],
  ['Charges and Refunds (Write)', createNoRefund],
  ['Disputes (Read)', ({ disputes }) => disputes.list(ONE)],
  ['Disputes (Write)', ({ disputes }) => disputes.update(`du_${NOBODY}`, { submit: false })],
  ['Balance (Read)', ({ balanceTransactions }) => balanceTransactions.list(ONE)],
  ['Events (Read)', ({ events }) => events.list(ONE)],
];

/** What it must allow besides, where creators are paid through it. */
const PERMISSIONS_OF_PAYOUTS: Permission[] = [
  ['Accounts v2 (Read)', ({ v2 }) => v2.core.accounts.retrieve(`acct_${NOBODY}`)],
  ['Accounts v2 (Write)', ({ v2 }) => v2.core.accounts.update(`acct_${NOBODY}`)],
  ['Account Links v2 (Write)', createNoLink],
  ['Events v2 (Read)', ({ v2 }) => v2.core.events.list(ONE)],
  ['Connected Accounts (Read)', ({ accounts }) => accounts.retrieve(`acct_${NOBODY}`)],
  ['Login Links (Write)', ({ accounts }) => accounts.createLoginLink(`acct_${NOBODY}`)],
  ['Balance Settings (Write)', ({ balanceSettings }) => balanceSettings.update()],
  ['Transfers (Read)', ({ transfers }) => transfers.list(ONE)],
  ['Transfers (Write)', ({ transfers }) => transfers.createReversal(`tr_${NOBODY}`)],
  ['Payouts (Read)', ({ payouts }) => payouts.list(ONE)],
  ['Payouts (Write)', ({ payouts }) => payouts.create({ amount: 0, currency: 'usd' })],
];

function createNoLink({ v2 }: Stripe): Promise<unknown> {
  const urls = { refresh_url: 'https://example.com', return_url: 'https://example.com' };
  return v2.core.accountLinks.create({
    account: `acct_${NOBODY}`,
    use_case: { type: 'account_onboarding', account_onboarding: urls },
  });
}

function createNoRefund({ refunds }: Stripe): Promise<unknown> {
  return refunds.create({ payment_intent: `pi_${NOBODY}` });
}

const KEYS = 'https://dashboard.stripe.com/apikeys';
const ENDPOINTS = 'https://dashboard.stripe.com/webhooks';

/**
 * @param connect whether creators are paid through the provider
 * @throws StripeError when the provider does not answer, or does not know the key
 */
export async function findMissingPermissions(stripe: Stripe, connect: boolean): Promise<string[]> {
  const permissions = connect ? [...PERMISSIONS, ...PERMISSIONS_OF_PAYOUTS] : PERMISSIONS;
  const missing = await Promise.all(
    permissions.map(async ([name, call]) => ((await isAllowed(call(stripe))) ? [] : [name])),
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
    if (isOfNoSuchAccount(error)) return true;
    if (error instanceof Stripe.errors.StripePermissionError) return false;
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return true;
    throw error;
  }
}

/**
 * What keeps events from arriving at an address, a sentence each.
 * @param connect whether creators are paid through the provider, which takes two further endpoints
 */
export async function findEndpointFaults(
  stripe: Stripe,
  url: string,
  connect: boolean,
): Promise<string[]> {
  const faults = await findPlatformFaults(stripe, url, connect);
  return connect ? [...faults, ...(await findConnectFaults(stripe, url))] : faults;
}

async function findPlatformFaults(stripe: Stripe, url: string, connect: boolean) {
  const asked = stripe.webhookEndpoints.list({ limit: 100 });
  if (!(await isAllowed(asked))) return [unreadable('Webhook Endpoints (Read)')];
  // The endpoint for events of connected accounts has the same address, and the list tells no
  // difference: the platform's is the one that sends more of what is needed.
  const needed = EVENTS.platform(connect);
  const [best] = (await asked).data
    .filter((candidate) => candidate.url === url)
    .map((endpoint) => ({ endpoint, missing: missingOf(endpoint.enabled_events, needed) }))
    .sort((one, other) => one.missing.length - other.missing.length);
  return faultsOf(`The webhook endpoint for ${url}`, best && { ...best.endpoint, needed });
}

/** Each of the two has a name here, a setting of its own, and events that it must send. */
const CONNECT_ENDPOINTS = [
  { name: 'events of connected accounts', payload: 'snapshot', needed: EVENTS.connected },
  { name: 'thin events', payload: 'thin', needed: EVENTS.thin },
];

async function findConnectFaults(stripe: Stripe, url: string): Promise<string[]> {
  const asked = stripe.v2.core.eventDestinations.list({
    include: ['webhook_endpoint.url'],
    limit: 100,
  });
  if (!(await isAllowed(asked))) return [unreadable('Event Destinations (Read)')];
  const destinations = (await asked).data.filter(
    ({ webhook_endpoint: endpoint, events_from: from }) =>
      endpoint?.url === url && from?.includes('@accounts'),
  );
  return CONNECT_ENDPOINTS.flatMap(({ name, payload, needed }) => {
    const found = destinations.find(({ event_payload }) => event_payload === payload);
    return faultsOf(`The webhook endpoint for ${name} at ${url}`, found && { ...found, needed });
  });
}

interface Endpoint {
  status: string;
  enabled_events: string[];
  needed: string[];
}

function faultsOf(which: string, endpoint: Endpoint | undefined): string[] {
  if (!endpoint) return [`${which} does not exist. Create it at ${ENDPOINTS}.`];
  if (endpoint.status !== 'enabled') return [`${which} is disabled. Enable it at ${ENDPOINTS}.`];
  const missing = missingOf(endpoint.enabled_events, endpoint.needed);
  if (missing.length === 0) return [];
  return [`${which} does not send ${missing.join(', ')}. Add them at ${ENDPOINTS}.`];
}

function missingOf(sent: string[], needed: string[]): string[] {
  return sent.includes('*') ? [] : needed.filter((type) => !sent.includes(type));
}

function unreadable(permission: string): string {
  return `STRIPE_SECRET_KEY lacks the permission ${permission}, which only this check needs. Grant it at ${KEYS}, or compare the events at ${ENDPOINTS} yourself.`;
}
