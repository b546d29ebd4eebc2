import type { Logger } from 'pino';
import Stripe from 'stripe';
import { z } from 'zod';
import {
  type CardProvider,
  type CheckoutSession,
  PaymentUnreadableError,
  type ProviderEvent,
  type ProviderNews,
} from '../../payments/card-provider.ts';
import type { VerifyWebhook } from '../../payments/receive-webhook.ts';
import { findEndpointFaults, findMissingPermissions } from './check-access.ts';
import { createProviderWarnings, createSession, type ProviderWarnings } from './create-session.ts';
import { listTransactions, readBalance } from './list-transactions.ts';
import {
  attachEvidence,
  listReturnedPayments,
  PAGE,
  readPayment,
  refundPayment,
} from './read-payment.ts';

export type StripeTarget =
  | {
      kind: 'stripe';
      secretKey: string;
      webhookSecret: string;
      live: boolean;
      /** Where it is asked instead of at its own address. */
      apiUrl?: string | undefined;
    }
  /** The built-in sandbox: the same SDK against its loopback API. */
  | { kind: 'sandbox'; apiUrl: string; webhookSecret: string };

export interface StripeAdapter {
  provider: CardProvider;
  verifyWebhook: VerifyWebhook;
  /** What the key must not do and would have to, a sentence each. @throws when it cannot be asked */
  findMissingPermissions(): Promise<string[]>;
  /** Logs them. Nobody has to wait: a silent provider must not keep content from its buyers. */
  tellMissingPermissions(): Promise<void>;
  /** What keeps events from arriving at an address, a sentence each. */
  findEndpointFaults(url: string): Promise<string[]>;
}

/** How long to wait for the provider. A call takes at most the timeout once per attempt. */
interface Patience {
  /** Milliseconds. */
  timeout: number;
  maxNetworkRetries: number;
}

/** For calls that nobody waits for. */
const IN_BACKGROUND: Patience = { timeout: 20_000, maxNetworkRetries: 2 };
/** For calls that someone waits for: a dead connection is abandoned in time for another one. */
export const WHILE_SOMEBODY_WAITS: Patience = { timeout: 4_000, maxNetworkRetries: 2 };

/** The age in seconds up to which a signed webhook is accepted (the provider's own default). */
const SIGNATURE_TOLERANCE_S = 300;
const ANY_AGE = 0;
/** The client fails on headers of any other form. */
const SIGNATURE = /^\w+=\w+(,\w+=\w+)*$/;

export function openStripe(
  target: StripeTarget,
  log: Pick<Logger, 'warn' | 'error'>,
  patience = IN_BACKGROUND,
): StripeAdapter {
  const stripe = createClient(target, patience);
  const warnings = createProviderWarnings(log);
  return {
    provider: {
      mode: target.kind === 'stripe' && target.live ? 'live' : 'test',
      account: accountReader(stripe, target),
      listEvents: (since) => listEvents(stripe, since),
      readEvent,
      createCheckout: (request) => createSession(stripe, request, warnings),
      async expireCheckout(sessionId) {
        const session = await orNullWhenMissing(stripe.checkout.sessions.retrieve(sessionId));
        if (session?.status === 'open') await stripe.checkout.sessions.expire(sessionId);
      },
      async retrieveCheckout(sessionId) {
        // Whether a delayed payment failed, only the payment intent says.
        const expand = ['payment_intent'];
        const asked = stripe.checkout.sessions.retrieve(sessionId, { expand });
        const session = await orNullWhenMissing(asked);
        return session && toSession(session);
      },
      listCheckouts: (from, to) => listCheckouts(stripe, from, to),
      retrievePayment: (paymentIntentId) =>
        readPayment(stripe, paymentIntentId).catch((error: unknown) => {
          const isRefused = error instanceof Stripe.errors.StripeInvalidRequestError;
          throw isRefused ? new PaymentUnreadableError(error.message, { cause: error }) : error;
        }),
      refundPayment: (refund) => refundPayment(stripe, refund),
      attachEvidence: (id, evidence, submit) => attachEvidence(stripe, id, evidence, submit),
      listReturnedPayments: (since) => listReturnedPayments(stripe, since),
      listTransactions: (since) => listTransactions(stripe, since),
      readBalance: () => readBalance(stripe),
    },
    verifyWebhook: webhookVerifier(stripe, target.webhookSecret, warnings),
    findMissingPermissions: () => findMissingPermissions(stripe),
    tellMissingPermissions: async () => {
      try {
        for (const fault of await findMissingPermissions(stripe)) log.error(fault);
      } catch (error) {
        log.warn({ err: error }, 'it could not be checked what STRIPE_SECRET_KEY may do');
      }
    },
    findEndpointFaults: (url) => findEndpointFaults(stripe, url, EVENTS),
  };
}

function webhookVerifier(
  stripe: Stripe,
  secret: string,
  warnings: ProviderWarnings,
): VerifyWebhook {
  return (body, signature) => {
    if (!SIGNATURE.test(signature)) {
      warnings.forgedWebhook();
      return { kind: 'forged' };
    }
    try {
      // Its age is checked afterward: a wrong clock is not a forgery.
      const event = stripe.webhooks.constructEvent(body, signature, secret, ANY_AGE);
      const ageSeconds = Math.floor(Date.now() / 1000) - signedAt(signature);
      if (!(ageSeconds <= SIGNATURE_TOLERANCE_S)) {
        warnings.staleWebhook(ageSeconds);
        return { kind: 'stale', ageSeconds };
      }
      return {
        kind: 'event',
        event: toEvent(event, body.toString('utf8')),
      };
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error;
      warnings.forgedWebhook();
      return { kind: 'forged' };
    }
  };
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
]);

/** The events that the endpoint must send. */
const EVENTS = [...KINDS.keys()];

const eventOf = <Shape extends z.ZodRawShape>(object: Shape) =>
  z.object({ data: z.object({ object: z.object(object) }) });
const ANY_EVENT = z.object({ type: z.string() });
const CHECKOUT_EVENT = eventOf({ id: z.string() });
const PAYMENT_EVENT = eventOf({
  payment_intent: z.union([z.string(), z.object({ id: z.string() })]).nullish(),
});

function readEvent(payload: string): ProviderNews | null {
  const event: unknown = JSON.parse(payload);
  const kind = KINDS.get(ANY_EVENT.parse(event).type);
  if (kind === undefined) return null;
  if (kind !== 'payment-changed') {
    return { kind, sessionId: CHECKOUT_EVENT.parse(event).data.object.id };
  }
  const { payment_intent: payment } = PAYMENT_EVENT.parse(event).data.object;
  const paymentIntentId = typeof payment === 'string' ? payment : payment?.id;
  return paymentIntentId === undefined ? null : { kind, paymentIntentId };
}

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

function createClient(target: StripeTarget, patience: Patience): Stripe {
  const common = { ...patience, telemetry: false };
  const key = target.kind === 'stripe' ? target.secretKey : 'sk_test_sandbox';
  if (!target.apiUrl) return new Stripe(key, common);
  const { hostname, port } = new URL(target.apiUrl);
  return new Stripe(key, { ...common, host: hostname, port, protocol: 'http' });
}

/** Requested once and cached; requested again after a failure. */
function accountReader(stripe: Stripe, target: StripeTarget): () => Promise<string> {
  if (target.kind === 'sandbox') return async () => 'sandbox';
  let known: string | undefined;
  return async () => {
    known ??= (await stripe.accounts.retrieveCurrent()).id;
    return known;
  };
}

async function orNullWhenMissing<Found>(answer: Promise<Found>): Promise<Found | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError && error.code === 'resource_missing')
      return null;
    throw error;
  }
}

async function* listCheckouts(
  stripe: Stripe,
  from: number,
  to: number,
): AsyncGenerator<CheckoutSession> {
  const created = { gte: Math.floor(from / 1000), lte: Math.ceil(to / 1000) };
  for await (const session of stripe.checkout.sessions.list({ created, limit: PAGE })) {
    yield toSession(session);
  }
}

async function* listEvents(
  stripe: Stripe,
  since: number,
): AsyncGenerator<ProviderEvent & { createdAt: number }> {
  const created = { gte: Math.floor(since / 1000) };
  for await (const event of stripe.events.list({ created, types: EVENTS, limit: PAGE })) {
    yield { ...toEvent(event, JSON.stringify(event)), createdAt: event.created * 1000 };
  }
}

function toEvent({ id, type, livemode }: Stripe.Event, payload: string): ProviderEvent {
  return { id, type, mode: livemode ? 'live' : 'test', payload };
}

const NOTE = z.string().nullable().catch(null);

/** Our own notes at a session: those of other products have none, and people may edit them there. */
const NOTES = z.object({
  purchase_id: NOTE,
  link_id: NOTE,
  installation_id: NOTE,
  fee_cents: z.string().regex(/^\d+$/).transform(Number).nullable().catch(null),
  content_fingerprint: NOTE,
});

function toSession(session: Stripe.Checkout.Session): CheckoutSession {
  const intent = session.payment_intent;
  const notes = NOTES.parse(session.metadata ?? {});
  return {
    id: session.id,
    url: session.url,
    purchaseId: notes.purchase_id,
    linkId: notes.link_id,
    installationId: notes.installation_id,
    feeCents: notes.fee_cents,
    contentFingerprint: notes.content_fingerprint,
    status: toStatus(session.status),
    mode: session.livemode ? 'live' : 'test',
    paid: session.payment_status === 'paid',
    failed: isFailed(session),
    subtotalCents: session.amount_subtotal ?? 0,
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
