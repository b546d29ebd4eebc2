import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Stripe from 'stripe';
import { onTestFinished } from 'vitest';
import { startSandbox } from '../start-sandbox.ts';
import { receiveWebhooks, WEBHOOK_SECRETS } from './receive-webhooks.ts';

const SUCCESS_URL = 'http://shop.test/success?session={CHECKOUT_SESSION_ID}';
const CANCEL_URL = 'http://shop.test/failed';
const PUBLIC_URL = 'http://localhost:3000';

/** A folder that is gone when the test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'padlink-sandbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A sandbox with the official SDK, a receiver of its webhooks, and someone who pays. */
export async function startTestSandbox(dataDir = temporaryFolder()) {
  const webhooks = await receiveWebhooks();
  const problems: string[] = [];
  const sandbox = await startSandbox({
    dataDir,
    port: 0,
    publicUrl: PUBLIC_URL,
    webhookUrl: () => webhooks.url,
    webhookSecrets: WEBHOOK_SECRETS,
    log: {
      info() {},
      warn: (_details, message) => problems.push(message),
      error: (_details, message) => problems.push(message),
    },
  });
  sandbox.lead();
  onTestFinished(sandbox.stop);

  const stripe = new Stripe('sk_test_sandbox', {
    host: '127.0.0.1',
    port: new URL(sandbox.apiUrl).port,
    protocol: 'http',
    telemetry: false,
    maxNetworkRetries: 0,
  });

  /** The page's address where it is mounted beside the API. */
  const pageOf = (session: { url: string | null }): string =>
    String(session.url).replace(PUBLIC_URL, sandbox.apiUrl);

  return {
    sandbox,
    stripe,
    webhooks,
    problems,
    pageOf,
    post,
    /** Lets something happen that the provider does by itself. */
    helper: async <Answer = object>(path: string, params: Record<string, string> = {}) =>
      (await stripe.rawRequest('POST', `/v1/test_helpers/${path}`, params)) as Answer,
    ...createBuyer(stripe, pageOf),
    ...createSeller(stripe, pageOf),
  };
}

type PageOf = (session: { url: string | null }) => string;

const post = (url: string, form: Record<string, string>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });

/** Someone who pays. */
function createBuyer(stripe: Stripe, pageOf: PageOf) {
  const openSession = (params: Partial<Stripe.Checkout.SessionCreateParams> = {}) =>
    stripe.checkout.sessions.create({
      mode: 'payment',
      line_items: [
        {
          quantity: 1,
          price_data: {
            currency: 'usd',
            unit_amount: 1000,
            product_data: { name: 'Study pack' },
          },
        },
      ],
      success_url: SUCCESS_URL,
      cancel_url: CANCEL_URL,
      ...params,
    });

  /** Fills in the hosted page as a buyer does; `fields` replaces what is typed. */
  const pay = (
    session: { url: string | null },
    cardNumber: string,
    fields: Record<string, string> = {},
  ) => {
    const typed = { email: 'buyer@example.com', expiry: '12 / 34', cvc: '123', ...fields };
    return post(pageOf(session), { ...typed, cardNumber });
  };

  /** A new session that was completed with the card, its payment intent and its charge. */
  async function sell(cardNumber = '4242 4242 4242 4242') {
    const opened = await openSession();
    const answer = await pay(opened, cardNumber);
    if (answer.status !== 303) throw new Error(`the payment answered ${answer.status}`);
    const session = await stripe.checkout.sessions.retrieve(opened.id, {
      expand: ['payment_intent.latest_charge'],
    });
    const intent = session.payment_intent as Stripe.PaymentIntent;
    return { session, intent, charge: intent.latest_charge as Stripe.Charge };
  }

  return { openSession, pay, sell };
}

/** Someone with a connected account. */
function createSeller(stripe: Stripe, pageOf: PageOf) {
  return {
    /** One that asks for transfers. */
    openAccount: (params: Partial<Stripe.V2.Core.AccountCreateParams> = {}) =>
      stripe.v2.core.accounts.create({
        contact_email: 'ada@example.com',
        display_name: 'Ada',
        dashboard: 'express',
        identity: { country: 'us', entity_type: 'individual' },
        configuration: {
          recipient: {
            capabilities: { stripe_balance: { stripe_transfers: { requested: true } } },
          },
        },
        defaults: {
          responsibilities: { fees_collector: 'application', losses_collector: 'application' },
        },
        ...params,
      }),

    /** The page on which the owner of an account is onboarded. */
    async onboardingPage(account: string, shop = 'http://shop.test'): Promise<string> {
      const link = await stripe.v2.core.accountLinks.create({
        account,
        use_case: {
          type: 'account_onboarding',
          account_onboarding: {
            refresh_url: `${shop}/again`,
            return_url: `${shop}/done`,
          },
        },
      });
      return pageOf(link);
    },
  };
}
