import Stripe from 'stripe';
import { z } from 'zod';
import type { VerifyWebhook } from '../../money/payments/receive-webhook.ts';
import type { ProviderEvent, ProviderNews } from '../../selling/purchases/card-provider.ts';
import type { ProviderWarnings } from './create-session.ts';
import { idOf, PAGE } from './read-payment.ts';

/** The age in seconds up to which a signed webhook is accepted (the provider's own default). */
const SIGNATURE_TOLERANCE_S = 300;
const ANY_AGE = Number.POSITIVE_INFINITY;
/** The client fails on headers of any other form. */
const SIGNATURE = /^\w+=\w+(,\w+=\w+)*$/;

/** @param secrets of each endpoint that events arrive from: all of them at one address */
export function webhookVerifier(
  stripe: Stripe,
  secrets: string[],
  warnings: ProviderWarnings,
): VerifyWebhook {
  return (body, signature) => {
    const event = SIGNATURE.test(signature) ? verify(stripe, body, signature, secrets) : 'forged';
    if (event === 'forged') warnings.forgedWebhook();
    if (event === 'unreadable') warnings.unreadableWebhook();
    if (typeof event === 'string') return { kind: event };
    // Its age is checked afterward: a wrong clock is not a forgery.
    const ageSeconds = Math.floor(Date.now() / 1000) - signedAt(signature);
    if (!(ageSeconds <= SIGNATURE_TOLERANCE_S)) {
      warnings.staleWebhook(ageSeconds);
      return { kind: 'stale', ageSeconds };
    }
    return isOfInterest(event) ? { kind: 'event', event } : { kind: 'other' };
  };
}

/** @returns 'forged' for what is signed with none of the secrets, 'unreadable' for what is no event */
function verify(
  stripe: Stripe,
  body: Buffer,
  signature: string,
  secrets: string[],
): ProviderEvent | 'forged' | 'unreadable' {
  if (!secrets.some((secret) => isSignedBy(stripe, body, signature, secret))) return 'forged';
  const payload = body.toString('utf8');
  const event = SIGNED_EVENT.safeParse(parse(payload)).data;
  if (!event) return 'unreadable';
  return event.object === THIN ? toThinEvent(event, payload) : toEvent(event, payload);
}

function isSignedBy(stripe: Stripe, body: Buffer, signature: string, secret: string): boolean {
  try {
    return stripe.webhooks.signature?.verifyHeader(body, signature, secret, ANY_AGE) ?? false;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false;
    throw error;
  }
}

function parse(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}

const THIN = 'v2.core.event';

const ID = z.string().regex(/^[\w-]{1,255}$/);
/** What every event has to say of itself. */
const SIGNED_EVENT = z.looseObject({
  id: ID,
  type: z.string().regex(/^[\w.[\]]{1,255}$/),
  object: z.string().optional(),
  livemode: z.boolean(),
  account: ID.nullish(),
});

/**
 * The time that was signed, in seconds: if the header has several, the client verifies the last.
 */
function signedAt(signature: string): number {
  const times = signature.split(',').flatMap((part) => {
    const [name, value = ''] = part.split('=');
    return name === 't' ? [Number.parseInt(value, 10)] : [];
  });
  return times.at(-1) ?? Number.NaN;
}

type Envelope = Pick<z.infer<typeof SIGNED_EVENT>, 'id' | 'type' | 'livemode' | 'account'>;

function toEvent({ id, type, livemode, account }: Envelope, payload: string): ProviderEvent {
  return { id, type, mode: modeOf(livemode), account: account ?? null, payload };
}

function toThinEvent(event: Envelope, payload: string): ProviderEvent {
  const about = THIN_EVENT.safeParse(event).data?.related_object;
  return toEvent({ ...event, account: about?.id }, payload);
}

function modeOf(livemode: boolean): ProviderEvent['mode'] {
  return livemode ? 'live' : 'test';
}

const KINDS = new Map<string, ProviderNews['kind']>([
  ['checkout.session.completed', 'checkout-completed'],
  ['checkout.session.async_payment_succeeded', 'checkout-completed'],
  ['checkout.session.expired', 'checkout-ended'],
  ['checkout.session.async_payment_failed', 'checkout-ended'],
  ['charge.refunded', 'payment-changed'],
  ['charge.updated', 'payment-changed'],
  ['refund.created', 'payment-changed'],
  ['refund.updated', 'payment-changed'],
  ['refund.failed', 'payment-changed'],
  ['charge.dispute.created', 'payment-changed'],
  ['charge.dispute.updated', 'payment-changed'],
  ['charge.dispute.closed', 'payment-changed'],
  ['charge.dispute.funds_withdrawn', 'payment-changed'],
  ['charge.dispute.funds_reinstated', 'payment-changed'],
  ['transfer.reversed', 'payout-changed'],
]);

const KINDS_OF_CONNECTED = new Map<string, ProviderNews['kind']>([
  ['account.updated', 'account-changed'],
  ['payout.paid', 'payout-changed'],
  ['payout.failed', 'payout-changed'],
  ['payout.updated', 'payout-changed'],
  ['payout.canceled', 'payout-changed'],
]);

const KINDS_OF_THIN = new Map<string, ProviderNews['kind']>([
  ['v2.core.account[requirements].updated', 'account-changed'],
  ['v2.core.account[configuration.recipient].capability_status_updated', 'account-changed'],
]);

/** The events that each endpoint must send; only payouts through the provider need some of them. */
export const EVENTS = {
  platform: (connect: boolean) =>
    [...KINDS.keys()].filter((type) => connect || type !== 'transfer.reversed'),
  connected: [...KINDS_OF_CONNECTED.keys()],
  thin: [...KINDS_OF_THIN.keys()],
};

function isOfInterest({ type, account }: ProviderEvent): boolean {
  return KINDS_OF_THIN.has(type) || (account ? KINDS_OF_CONNECTED : KINDS).has(type);
}

const ANY_EVENT = z.object({
  type: z.string(),
  object: z.string().optional(),
  account: z.string().nullish(),
});
const eventOf = <Shape extends z.ZodRawShape>(object: Shape) =>
  z.object({ data: z.object({ object: z.object(object) }) });
const CHECKOUT_EVENT = eventOf({ id: z.string() }).extend({ created: z.number().optional() });
const PAYMENT_EVENT = eventOf({
  payment_intent: z.union([z.string(), z.object({ id: z.string() })]).nullish(),
});
const PAYOUT_EVENT = eventOf({
  metadata: z.object({ payout_id: z.string().optional() }).nullish(),
});
const THIN_EVENT = z.object({ related_object: z.object({ id: z.string() }) });

export function readEvent(payload: string): ProviderNews | null {
  const event: unknown = JSON.parse(payload);
  const { type, object, account } = ANY_EVENT.parse(event);
  const isThin = object === THIN;
  const snapshots = account ? KINDS_OF_CONNECTED : KINDS;
  const kind = (isThin ? KINDS_OF_THIN : snapshots).get(type);
  switch (kind) {
    case undefined:
      return null;
    case 'account-changed': {
      const accountId = isThin ? THIN_EVENT.parse(event).related_object.id : account;
      return accountId ? { kind, accountId } : null;
    }
    case 'payout-changed': {
      const payoutId = PAYOUT_EVENT.parse(event).data.object.metadata?.payout_id;
      return payoutId ? { kind, payoutId } : null;
    }
    case 'payment-changed': {
      const paymentIntentId = idOf(PAYMENT_EVENT.parse(event).data.object.payment_intent);
      return paymentIntentId === null ? null : { kind, paymentIntentId };
    }
    default: {
      const { data, created } = CHECKOUT_EVENT.parse(event);
      const isPaid = kind === 'checkout-completed' && created !== undefined;
      const toldAt = isPaid ? created * 1000 : undefined;
      return { kind, sessionId: data.object.id, toldAt };
    }
  }
}

type ListedEvent = ProviderEvent & { createdAt: number };

/** @param connect whether creators are paid through the provider */
export async function* listEvents(
  stripe: Stripe,
  since: number,
  connect: boolean,
): AsyncGenerator<ListedEvent> {
  const created = { gte: Math.floor(since / 1000) };
  const types = EVENTS.platform(connect);
  for await (const event of stripe.events.list({ created, types, limit: PAGE })) {
    yield { ...toEvent(event, JSON.stringify(event)), createdAt: event.created * 1000 };
  }
  if (!connect) return;
  // The newest come first.
  for await (const event of stripe.v2.core.events.list({ types: EVENTS.thin, limit: PAGE })) {
    const createdAt = Date.parse(event.created);
    if (createdAt < created.gte * 1000) return;
    yield { ...toThinEvent(event, JSON.stringify(event)), createdAt };
  }
}
