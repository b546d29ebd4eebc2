import type { Logger } from 'pino';
import Stripe from 'stripe';
import { type Fact, putIntoEnglish } from '../../../contract/fact.ts';
import {
  type CardProvider,
  type CheckoutSession,
  PaymentUnreadableError,
} from '../../selling/purchases/card-provider.ts';
import { findMissingPermissions } from './check-permissions.ts';
import { createProviderWarnings, createSession } from './create-session.ts';
import { findEndpointFaults, type SetUp, setUpEndpoints } from './endpoints.ts';
import { type CallLimit, createCallLimit, limitCalls } from './limit-calls.ts';
import { listTransactions, readBalance } from './list-transactions.ts';
import { listEvents, readEvent, webhookVerifier } from './read-events.ts';
import {
  attachEvidence,
  listReturnedPayments,
  PAGE,
  readPayment,
  refundPayment,
} from './read-payment.ts';
import { orNullWhenMissing, sessionReader, toSession } from './read-session.ts';
import { readWaysToPay } from './read-ways-to-pay.ts';
import { openPayouts } from './send-payouts.ts';

export type StripeTarget = (
  | {
      kind: 'stripe';
      secretKey: string;
      live: boolean;
      /** How often the account may ask, as far as this process is concerned. */
      callsPerSecond: number;
      /** Where it is asked instead of at its own address. */
      apiUrl?: string | undefined;
    }
  /** The built-in sandbox: the same SDK against its loopback API. */
  | { kind: 'sandbox'; apiUrl: string }
) & {
  webhookSecret: string;
  /** Of the endpoints for events of connected accounts, and for thin ones, where they are set up. */
  connectWebhookSecret?: string | null;
  thinWebhookSecret?: string | null;
  /** Whether creators are paid through it. */
  connect?: boolean;
};

export type StripeAdapter = ReturnType<typeof openStripe>;

/** How long to wait for the provider. A call takes at most the timeout once per attempt. */
interface Patience {
  isAwaited: boolean;
  /** Milliseconds. */
  timeout: number;
  /** Of calls that it fails to answer, each after twice the time, from half a second on. */
  maxNetworkRetries: number;
}

/** For calls that nobody waits for: what they belong to is tried again as a whole. */
const IN_BACKGROUND: Patience = { isAwaited: false, timeout: 20_000, maxNetworkRetries: 2 };
/** For calls that someone waits for: a dead connection is abandoned in time for another one. */
const WHILE_SOMEBODY_WAITS: Patience = { isAwaited: true, timeout: 4_000, maxNetworkRetries: 4 };

/** What the provider allows in a second, which all who ask it have to share. */
export const callLimitOf = (target: StripeTarget): CallLimit =>
  createCallLimit(target.kind === 'stripe' ? target.callsPerSecond : Number.POSITIVE_INFINITY);

/** @param isAwaited whether somebody waits for the answers */
export function openStripe(
  target: StripeTarget,
  log: Pick<Logger, 'warn' | 'error'>,
  limit = callLimitOf(target),
  isAwaited = false,
) {
  const stripe = createClient(target, limit, isAwaited ? WHILE_SOMEBODY_WAITS : IN_BACKGROUND);
  const warnings = createProviderWarnings(log);
  const { connect = false } = target;
  const mode = target.kind === 'stripe' && target.live ? 'live' : 'test';
  const provider: CardProvider = {
    mode,
    account: accountReader(stripe, target),
    listEvents: (since) => listEvents(stripe, since, connect),
    readEvent,
    createCheckout: (request) => createSession(stripe, request, warnings),
    async expireCheckout(sessionId) {
      const { sessions } = stripe.checkout;
      const isOpen = async () =>
        (await orNullWhenMissing(sessions.retrieve(sessionId)))?.status === 'open';
      if (!(await isOpen())) return;
      await sessions.expire(sessionId).catch(async (error: unknown) => {
        // It may have been paid, or ended by another request, since it was looked at.
        if (await isOpen().catch(() => true)) throw error;
      });
    },
    retrieveCheckout: sessionReader(stripe, () => limit.hasRoom()),
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
    listWaysToPay: () => readWaysToPay(stripe),
  };
  return {
    provider,
    payoutProvider: openPayouts(stripe, mode),
    verifyWebhook: webhookVerifier(stripe, secretsOf(target), warnings),
    /** What the key must not do and would have to, a sentence each. @throws when it cannot be asked */
    findMissingPermissions: () => findMissingPermissions(stripe, connect),
    /** Logs them. Nobody has to wait: a silent provider must not keep content from its buyers. */
    async tellMissingPermissions(): Promise<void> {
      try {
        for (const fault of await findMissingPermissions(stripe, connect)) {
          log.error(putIntoEnglish(fault));
        }
      } catch (error) {
        log.warn({ err: error }, 'it could not be checked what STRIPE_SECRET_KEY may do');
      }
    },
    /** These, and what keeps events from arriving at an address, a sentence each. */
    async findFaults(url: string): Promise<Fact[]> {
      return [
        ...(await findMissingPermissions(stripe, connect)),
        ...(await findEndpointFaults(stripe, { url, connect })),
      ];
    },
    /** Has all of them arrive there. @throws SetUpRefused */
    setUpEndpoints: (url: string, onSetUp: (what: SetUp) => Promise<void>) =>
      setUpEndpoints(stripe, { url, connect }, onSetUp),
  };
}

function secretsOf(target: StripeTarget): string[] {
  const { webhookSecret, connectWebhookSecret, thinWebhookSecret } = target;
  return [webhookSecret, connectWebhookSecret, thinWebhookSecret].flatMap((secret) => secret || []);
}

function createClient(
  target: StripeTarget,
  limit: CallLimit,
  { isAwaited, ...patience }: Patience,
): Stripe {
  const httpClient = limitCalls(Stripe.createNodeHttpClient(), limit, isAwaited);
  const common = { ...patience, httpClient, telemetry: false };
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
