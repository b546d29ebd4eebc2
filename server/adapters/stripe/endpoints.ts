import type Stripe from 'stripe';
import { isAllowed, KEYS } from './check-permissions.ts';
import { EVENTS } from './read-events.ts';

const ENDPOINTS = 'https://dashboard.stripe.com/webhooks';

/** An endpoint at the provider that sends events here. */
interface Endpoint {
  /** In a sentence. */
  name: string;
  /** Has its signing secret. */
  setting: 'STRIPE_WEBHOOK_SECRET' | 'STRIPE_CONNECT_WEBHOOK_SECRET' | 'STRIPE_THIN_WEBHOOK_SECRET';
  /** The events that are read. */
  needed: string[];
  payload: 'snapshot' | 'thin';
  ofConnected: boolean;
}

/** @param connect whether creators are paid through the provider, which takes two further ones */
const endpointsFor = (connect: boolean): Endpoint[] => [
  {
    name: 'events of your account',
    setting: 'STRIPE_WEBHOOK_SECRET',
    needed: EVENTS.platform(connect),
    payload: 'snapshot',
    ofConnected: false,
  },
  ...(connect ? CONNECT_ENDPOINTS : []),
];

const CONNECT_ENDPOINTS: Endpoint[] = [
  {
    name: 'events of connected accounts',
    setting: 'STRIPE_CONNECT_WEBHOOK_SECRET',
    needed: EVENTS.connected,
    payload: 'snapshot',
    ofConnected: true,
  },
  {
    name: 'thin events',
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
 * The endpoint at an address, if the provider has it.
 * @returns the permission that the key lacks to tell, as a text
 */
async function findEndpoint(
  stripe: Stripe,
  { url }: Target,
  { ofConnected, payload, needed }: Endpoint,
): Promise<Found | undefined | string> {
  if (ofConnected) {
    const asked = stripe.v2.core.eventDestinations.list({
      include: ['webhook_endpoint.url'],
      limit: 100,
    });
    if (!(await isAllowed(asked))) return 'Event Destinations (Read)';
    return (await asked).data.find(
      ({ webhook_endpoint: endpoint, events_from: from, event_payload }) =>
        endpoint?.url === url && from?.includes('@accounts') && event_payload === payload,
    );
  }
  const asked = stripe.webhookEndpoints.list({ limit: 100 });
  if (!(await isAllowed(asked))) return 'Webhook Endpoints (Read)';
  // The endpoint for events of connected accounts has the same address, and the list tells no
  // difference: the platform's is the one that sends more of what is needed, and some of it.
  const [best] = (await asked).data
    .filter((candidate) => candidate.url === url)
    .map((endpoint) => ({ endpoint, missing: missingOf(endpoint.enabled_events, needed) }))
    .filter(({ missing }) => missing.length < needed.length)
    .sort((one, other) => one.missing.length - other.missing.length);
  return best?.endpoint;
}

function missingOf(sent: string[], needed: string[]): string[] {
  return sent.includes('*') ? [] : needed.filter((type) => !sent.includes(type));
}

/** What keeps events from arriving at an address, a sentence each. */
export async function findEndpointFaults(stripe: Stripe, target: Target): Promise<string[]> {
  const faults = [];
  for (const endpoint of endpointsFor(target.connect)) {
    const found = await findEndpoint(stripe, target, endpoint);
    faults.push(
      ...faultsOf(`The webhook endpoint for ${endpoint.name} at ${target.url}`, endpoint, found),
    );
  }
  return faults;
}

function faultsOf(
  which: string,
  { needed }: Endpoint,
  found: Found | undefined | string,
): string[] {
  if (typeof found === 'string') {
    return [
      `STRIPE_SECRET_KEY lacks the permission ${found}, which only this check needs. Grant it at ${KEYS}, or compare the events at ${ENDPOINTS} yourself.`,
    ];
  }
  if (!found) return [`${which} does not exist. “stripe setup” creates it.`];
  if (found.status !== 'enabled') return [`${which} is disabled. “stripe setup” enables it.`];
  const missing = missingOf(found.enabled_events, needed);
  if (missing.length === 0) return [];
  return [`${which} does not send ${missing.join(', ')}. “stripe setup” adds them.`];
}

/** What became of an endpoint. */
export interface SetUp extends Pick<Endpoint, 'name' | 'setting'> {
  id: string;
  did: 'created' | 'changed' | 'kept';
  /** Told once, when the endpoint is created. */
  secret: string | null;
}

/** The key may not do what it takes. */
export class SetUpRefused extends Error {
  constructor(permission: string) {
    super(
      `STRIPE_SECRET_KEY lacks the permission ${permission}. Grant it at ${KEYS}, or create the endpoints at ${ENDPOINTS} yourself: docs/operating.md.`,
    );
  }
}

/**
 * Creates the endpoints that are missing at an address, and has the others send exactly the events
 * that are read.
 * @throws SetUpRefused
 */
export async function setUpEndpoints(
  stripe: Stripe,
  target: Target,
  onSetUp: (what: SetUp) => void,
): Promise<void> {
  for (const endpoint of endpointsFor(target.connect)) {
    const found = await findEndpoint(stripe, target, endpoint);
    if (typeof found === 'string') throw new SetUpRefused(found);
    const { name, setting } = endpoint;
    const done = found
      ? await mend(stripe, endpoint, found)
      : await create(stripe, target.url, endpoint);
    onSetUp({ name, setting, ...done });
  }
}

type Done = Pick<SetUp, 'id' | 'did' | 'secret'>;

async function create(
  stripe: Stripe,
  url: string,
  { payload, ofConnected, needed, name }: Endpoint,
): Promise<Done> {
  const did = 'created';
  if (payload === 'thin') {
    const { id, webhook_endpoint: made } = await permitted(
      'Event Destinations (Write)',
      stripe.v2.core.eventDestinations.create({
        name: `Padlink: ${name}`,
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
      description: `Padlink: ${name}`,
    }),
  );
  return { id, did, secret };
}

async function mend(
  stripe: Stripe,
  { ofConnected, needed }: Endpoint,
  { id, status, enabled_events: sent }: Found,
): Promise<Done> {
  const isEnabled = status === 'enabled';
  const isExact = new Set(sent).symmetricDifference(new Set(needed)).size === 0;
  if (isEnabled && isExact) return { id, did: 'kept', secret: null };
  if (ofConnected) {
    const { eventDestinations } = stripe.v2.core;
    const permission = 'Event Destinations (Write)';
    await permitted(permission, eventDestinations.update(id, { enabled_events: needed }));
    if (!isEnabled) await permitted(permission, eventDestinations.enable(id));
  } else {
    await permitted(
      'Webhook Endpoints (Write)',
      stripe.webhookEndpoints.update(id, {
        enabled_events: needed as Stripe.WebhookEndpointUpdateParams.EnabledEvent[],
        disabled: false,
      }),
    );
  }
  return { id, did: 'changed', secret: null };
}

/** @throws SetUpRefused */
async function permitted<Answer>(permission: string, call: Promise<Answer>): Promise<Answer> {
  if (!(await isAllowed(call))) throw new SetUpRefused(permission);
  return call;
}
