import Stripe from 'stripe';
import { type Fact, fact, putIntoEnglish } from '../../../contract/fact.ts';
import { isAllowed, KEYS } from './check-permissions.ts';
import { EVENTS } from './read-events.ts';

export const ENDPOINTS = 'https://dashboard.stripe.com/webhooks';

/** An endpoint at the provider that sends events here. */
interface Endpoint {
  /** In a sentence. */
  name: Fact;
  /** Has its signing secret. */
  setting: 'STRIPE_WEBHOOK_SECRET' | 'STRIPE_CONNECT_WEBHOOK_SECRET' | 'STRIPE_THIN_WEBHOOK_SECRET';
  /** The events that are read. */
  needed: string[];
  payload: 'snapshot' | 'thin';
  ofConnected: boolean;
}

/** @param connect whether creators are paid through the provider, which takes two further ones */
const endpointsFor = (connect: boolean): [Endpoint, ...Endpoint[]] => [
  {
    name: fact('events of your account'),
    setting: 'STRIPE_WEBHOOK_SECRET',
    needed: EVENTS.platform(connect),
    payload: 'snapshot',
    ofConnected: false,
  },
  ...(connect ? CONNECT_ENDPOINTS : []),
];

const CONNECT_ENDPOINTS: Endpoint[] = [
  {
    name: fact('events of connected accounts'),
    setting: 'STRIPE_CONNECT_WEBHOOK_SECRET',
    needed: EVENTS.connected,
    payload: 'snapshot',
    ofConnected: true,
  },
  {
    name: fact('thin events'),
    setting: 'STRIPE_THIN_WEBHOOK_SECRET',
    needed: EVENTS.thin,
    payload: 'thin',
    ofConnected: true,
  },
];

/** As the provider has it. */
interface Found {
  id: string;
  status: string;
  enabled_events: string[];
}

interface Target {
  /** Where events are to arrive. */
  url: string;
  connect: boolean;
}

/**
 * The endpoints at an address.
 * @returns null for a key that may not ask for them
 */
async function listDestinations(stripe: Stripe, url: string) {
  const asked = stripe.v2.core.eventDestinations.list({
    include: ['webhook_endpoint.url'],
    limit: 100,
  });
  if (!(await isAllowed(asked))) return null;
  return (await asked).data.filter(({ webhook_endpoint: endpoint }) => endpoint?.url === url);
}

type Destinations = NonNullable<Awaited<ReturnType<typeof listDestinations>>>;

const ofKind = (destinations: Destinations, { payload, ofConnected, needed }: Endpoint) =>
  best(
    destinations.filter(
      ({ event_payload, events_from: from }) =>
        event_payload === payload && from?.includes(ofConnected ? '@accounts' : '@self'),
    ),
    needed,
  );

/** Of several, one that is enabled, and then the one that sends most of what is needed. */
function best<One extends Found>(candidates: One[], needed: string[]): One | undefined {
  const weigh = ({ status, enabled_events: sent }: One) =>
    (status === 'enabled' ? 0 : needed.length + 1) + missingOf(sent, needed).length;
  return candidates.toSorted((one, other) => weigh(one) - weigh(other))[0];
}

function missingOf(sent: string[], needed: string[]): string[] {
  return sent.includes('*') ? [] : needed.filter((type) => !sent.includes(type));
}

/** What keeps events from arriving at an address, a sentence each. */
export async function findEndpointFaults(
  stripe: Stripe,
  { url, connect }: Target,
): Promise<Fact[]> {
  const [platform, ...others] = endpointsFor(connect);
  const faults = await findPlatformFaults(stripe, url, platform);
  if (others.length === 0) return faults;
  const destinations = await listDestinations(stripe, url);
  if (!destinations) return [...faults, unreadable(READ_DESTINATIONS)];
  return [
    ...faults,
    ...others.flatMap((endpoint) => faultsOf(url, endpoint, ofKind(destinations, endpoint))),
  ];
}

/** By the list for which a key needs no permission of API v2. */
async function findPlatformFaults(stripe: Stripe, url: string, endpoint: Endpoint) {
  const asked = stripe.webhookEndpoints.list({ limit: 100 });
  if (!(await isAllowed(asked))) return [unreadable('Webhook Endpoints (Read)')];
  const { needed } = endpoint;
  // The endpoint for events of connected accounts has the same address, and the list tells no
  // difference: the platform's is the one that sends some of what is needed.
  const candidates = (await asked).data.filter(
    (one) => one.url === url && missingOf(one.enabled_events, needed).length < needed.length,
  );
  return faultsOf(url, endpoint, best(candidates, needed));
}

const READ_DESTINATIONS = 'Event Destinations (Read)';

const unreadable = (permission: string): Fact =>
  fact(
    'STRIPE_SECRET_KEY lacks the permission {permission}, which only this check needs. Grant it at {keys}, or compare the events at {endpoints} yourself.',
    { permission, keys: KEYS, endpoints: ENDPOINTS },
  );

function faultsOf(url: string, { name, needed }: Endpoint, found: Found | undefined): Fact[] {
  const which = { name, url };
  if (!found) {
    return [
      fact(
        'The webhook endpoint for {name} at {url} does not exist. “stripe setup” creates it.',
        which,
      ),
    ];
  }
  if (found.status !== 'enabled') {
    return [
      fact(
        'The webhook endpoint for {name} at {url} is disabled. “stripe setup” enables it.',
        which,
      ),
    ];
  }
  const missing = missingOf(found.enabled_events, needed);
  if (missing.length === 0) return [];
  return [
    fact(
      'The webhook endpoint for {name} at {url} does not send {events}. “stripe setup” adds them.',
      { ...which, events: missing.join(', ') },
    ),
  ];
}

/** What became of an endpoint. */
export interface SetUp extends Pick<Endpoint, 'setting'> {
  name: string;
  id: string;
  did: 'created' | 'changed' | 'kept';
  /** Told once, when the endpoint is created. */
  secret: string | null;
}

/** The provider did not do it; the message is for the operator. */
export class SetUpRefused extends Error {
  static lacking(permission: string): SetUpRefused {
    return new SetUpRefused(
      `STRIPE_SECRET_KEY lacks the permission ${permission}. Grant it at ${KEYS}, or create the endpoints at ${ENDPOINTS} yourself.`,
    );
  }
}

/**
 * Creates the endpoints that are missing at an address, and has the others send exactly the events
 * that are read.
 * @param onSetUp called with each before the next
 * @throws SetUpRefused
 */
export async function setUpEndpoints(
  stripe: Stripe,
  { url, connect }: Target,
  onSetUp: (what: SetUp) => Promise<void>,
): Promise<void> {
  const destinations = await listDestinations(stripe, url);
  if (!destinations) throw SetUpRefused.lacking(READ_DESTINATIONS);
  for (const endpoint of endpointsFor(connect)) {
    const found = ofKind(destinations, endpoint);
    const done = found
      ? await repair(stripe, endpoint, found)
      : await create(stripe, url, endpoint);
    await onSetUp({ name: putIntoEnglish(endpoint.name), setting: endpoint.setting, ...done });
  }
}

type Done = Pick<SetUp, 'id' | 'did' | 'secret'>;

const WRITE_DESTINATIONS = 'Event Destinations (Write)';

async function create(
  stripe: Stripe,
  url: string,
  { payload, ofConnected, needed, name }: Endpoint,
): Promise<Done> {
  const did = 'created';
  if (payload === 'thin') {
    const { id, webhook_endpoint: made } = await permitted(
      WRITE_DESTINATIONS,
      stripe.v2.core.eventDestinations.create({
        name: `Padlink: ${putIntoEnglish(name)}`,
        type: 'webhook_endpoint',
        event_payload: payload,
        events_from: ['@accounts'],
        enabled_events: needed,
        webhook_endpoint: { url },
        include: ['webhook_endpoint.signing_secret'],
      }),
    );
    return { id, did, secret: made?.signing_secret ?? null };
  }
  const { id, secret = null } = await permitted(
    'Webhook Endpoints (Write)',
    stripe.webhookEndpoints.create({
      url,
      enabled_events: needed as Stripe.WebhookEndpointCreateParams.EnabledEvent[],
      connect: ofConnected,
      description: `Padlink: ${putIntoEnglish(name)}`,
    }),
  );
  return { id, did, secret };
}

async function repair(
  stripe: Stripe,
  { needed }: Endpoint,
  { id, status, enabled_events: sent }: Found,
): Promise<Done> {
  const { eventDestinations } = stripe.v2.core;
  const isEnabled = status === 'enabled';
  const isExact = new Set(sent).symmetricDifference(new Set(needed)).size === 0;
  if (!isExact) {
    await permitted(WRITE_DESTINATIONS, eventDestinations.update(id, { enabled_events: needed }));
  }
  if (!isEnabled) await permitted(WRITE_DESTINATIONS, eventDestinations.enable(id));
  return { id, did: isEnabled && isExact ? 'kept' : 'changed', secret: null };
}

/** @throws SetUpRefused */
async function permitted<Answer>(permission: string, call: Promise<Answer>): Promise<Answer> {
  if (!(await isAllowed(call))) throw SetUpRefused.lacking(permission);
  return call.catch((error: unknown) => {
    throw error instanceof Stripe.errors.StripeInvalidRequestError
      ? new SetUpRefused(`The payment provider refused it: ${error.message}`)
      : error;
  });
}
