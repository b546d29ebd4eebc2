import { randomUUID } from 'node:crypto';
import { type KyselyPlugin, sql } from 'kysely';
import Stripe from 'stripe';
import { openStripe } from '../../server/adapters/stripe/open-stripe.ts';
import { createLink } from '../../server/catalog/links/create-link.ts';
import { updateLink } from '../../server/catalog/links/update-link.ts';
import { dialectOf } from '../../server/ground/database/dialect.ts';
import type { Database } from '../../server/ground/database/tables.ts';
import { GUEST } from '../../server/ground/lib/viewer.ts';
import { JOBS } from '../../server/ground/outbox/tables.ts';
import { createWorker, type JobHandlers } from '../../server/ground/outbox/worker.ts';
import { catchUp } from '../../server/money/payments/catch-up.ts';
import { importBooks } from '../../server/money/payments/import-books.ts';
import { createPaymentJobs, isFinalPaymentFault } from '../../server/money/payments/jobs.ts';
import { receiveWebhook } from '../../server/money/payments/receive-webhook.ts';
import { type Refunder, refundSale } from '../../server/money/payments/refund-sale.ts';
import { reviewPayment } from '../../server/money/payments/review-payment.ts';
import type { PayoutContext } from '../../server/money/payouts/context.ts';
import { followPayout } from '../../server/money/payouts/follow-payout.ts';
import { createPayoutJobs } from '../../server/money/payouts/jobs.ts';
import { beginOnboarding, findPayoutAccount } from '../../server/money/payouts/payout-account.ts';
import type { PayoutProvider } from '../../server/money/payouts/payout-provider.ts';
import { readMoney } from '../../server/money/payouts/read-money.ts';
import {
  approvePayout,
  cancelPayout,
  refusePayout,
  requestPayout,
} from '../../server/money/payouts/request-payout.ts';
import { deleteAccount } from '../../server/people/accounts/delete-account.ts';
import { startCheckout } from '../../server/selling/checkout/start-checkout.ts';
import { createDiscount } from '../../server/selling/discounts/create-discount.ts';
import type { CardProvider } from '../../server/selling/purchases/card-provider.ts';
import { fulfilPurchase } from '../../server/selling/purchases/fulfil-purchase.ts';
import type { Gift } from '../../server/selling/purchases/gifts.ts';
import { WEBHOOK_SECRET } from '../harness/webhook.ts';

const FEE = { basisPoints: 500, fixedCents: 30 };
export const TERMS = { kind: 'connect', minimumCents: 100, costCents: 25, holdDays: 7 } as const;
const PUBLIC_URL = 'http://localhost:3000';
const silent = { info() {}, warn() {}, error() {} };

/** The process was killed: nothing that it does from then on happens. */
export class Killed extends Error {}

/** Counts what a process does, and kills it when it has done so much. */
class Life implements KyselyPlugin {
  left = Number.POSITIVE_INFINITY;
  get isOver() {
    return this.left <= 0;
  }
  use(): void {
    this.left -= 1;
    if (this.isOver) throw new Killed();
  }
  transformQuery({ node }: Parameters<KyselyPlugin['transformQuery']>[0]) {
    this.use();
    return node;
  }
  async transformResult({ result }: Parameters<KyselyPlugin['transformResult']>[0]) {
    return result;
  }
}

/** All that happens when jobs run that are not about money. */
const NOTHING = Object.fromEntries(
  Object.keys(JOBS).map((kind) => [kind, async () => {}]),
) as unknown as JobHandlers;

interface Options {
  db: Database;
  apiUrl: string;
  /** How far its clock is ahead of the provider's, milliseconds. */
  skewMs: number;
  disputeFee: 'platform' | 'creator';
}

/**
 * A process of the product on a database: its operations, its real adapter of the provider and its
 * real worker, without HTTP, timers and mails.
 */
export function startProduct({ db: root, apiUrl, skewMs, disputeFee }: Options) {
  const life = new Life();
  const db = root.withPlugin(life);
  const secret = { webhookSecret: WEBHOOK_SECRET, connect: true };
  const target = { kind: 'sandbox', apiUrl, ...secret } as const;
  const stripe = openStripe(target, silent as never);
  const provider = mortal(stripe.provider, life);
  const payoutProvider = mortal(stripe.payoutProvider, life);
  const now = () => Date.now() + skewMs;
  const costBearers = { refundCost: 'platform', disputeFee } as const;
  const context = { db, provider, now, publicUrl: PUBLIC_URL, costBearers };
  const payouts: PayoutContext = {
    db,
    provider: payoutProvider,
    now,
    terms: TERMS,
    account: provider.account,
  };
  const options = { db, now, isFinal: isFinalPaymentFault, log: silent as never };
  const signReceipt = async () => 'A signed receipt';
  const handlers = {
    ...NOTHING,
    ...createPaymentJobs({ ...context, signReceipt }, context.provider, silent as never),
    ...createPayoutJobs(payouts),
  };

  return {
    now,
    get isDead() {
      return life.isOver;
    },
    /** Lets it do so many things more: ask the database, or the provider. */
    dieAfter(steps: number) {
      life.left = steps;
    },

    /** Runs what is due until nothing is. */
    async runJobs(): Promise<void> {
      while (!life.isOver && (await isDue(root, now()))) {
        const worker = createWorker({ ...options, handlers });
        worker.wake();
        await worker.stop();
      }
    },

    /** What the route of webhooks does. @throws Killed */
    async receive(event: object): Promise<void> {
      const payload = JSON.stringify(event);
      const signature = Stripe.webhooks.generateTestHeaderString({
        payload,
        secret: WEBHOOK_SECRET,
        timestamp: Math.floor(Date.now() / 1000),
      });
      const verified = stripe.verifyWebhook(Buffer.from(payload), signature);
      if (verified.kind === 'other') return;
      if (verified.kind !== 'event') throw new Error(`The event is ${verified.kind}.`);
      await receiveWebhook(context, verified.event);
    },

    checkOut: (linkId: string, claimHash: string, gift: Gift | null, code?: string) =>
      startCheckout(
        {
          ...context,
          fee: FEE,
          tax: false,
          providerMinimumCents: 1,
          store: { sizeOf: async () => null } as never,
          requireSeller: async () => {},
          views: { ofCheckout: () => 1 },
        },
        {
          linkId,
          viewer: { ...GUEST, claimHash },
          source: 'news.example',
          gift,
          code: code === undefined ? undefined : { code, countGuess: async () => () => {} },
          device: {
            address: '127.0.0.1',
            browser: '',
            language: 'en',
            visit: { address: '127.0.0.1', agent: '' },
          },
        },
      ),
    /** A code that takes everything off. */
    giveAway: (ownerId: string, code: string) =>
      createDiscount(
        { db, now },
        {
          ownerId,
          code,
          percent: 100,
          amountCents: null,
          minimumCents: null,
          startsAt: null,
          endsAt: null,
          maxUses: null,
          maxUsesOfBuyer: null,
          links: null,
        },
      ),
    /** The buyer comes back from the provider. */
    comeBack: (sessionId: string) => fulfilPurchase(context, sessionId),
    setPrice: (author: string, id: string, price: number) =>
      updateLink(
        { db, now, minimumPriceCents: 1, providerMinimumCents: 1 },
        { author: { kind: 'creator', userId: author }, id, price },
      ),
    deleteAccount: (id: string) => deleteAccount({ db, now }, id),
    /** Gives a sale back, as its seller or the operator does in the dashboard. */
    refund: (by: Refunder, purchaseId: string, amountCents: number | null) =>
      refundSale(context, { by, purchaseId, amountCents, reason: 'They asked for it.' }),

    /** A creator's account at the provider, which has no bank account yet. */
    async openPayoutAccount(ownerId: string): Promise<string> {
      await beginOnboarding(payouts, {
        ownerId,
        email: `${ownerId}@example.com`,
        name: 'Ada',
        country: 'US',
        returnUrl: PUBLIC_URL,
        refreshUrl: PUBLIC_URL,
      });
      const account = await findPayoutAccount(db, ownerId, 'test');
      return account?.account_id ?? '';
    },
    readMoney: (ownerId: string) => readMoney(payouts, ownerId),
    askForPayout: (ownerId: string, amountCents: number) =>
      requestPayout(payouts, { ownerId, signedInAt: now(), amountCents }),
    approvePayout: (id: string) => approvePayout(payouts, { kind: 'cli' }, id),
    refusePayout: (id: string) =>
      refusePayout(
        payouts,
        { kind: 'cli' },
        { payoutId: id, reason: 'It is not clear whose it is.' },
      ),
    takePayoutBack: (ownerId: string, payoutId: string) =>
      cancelPayout(payouts, { ownerId, payoutId }),
    /** Follows a payout, and lets something happen after the provider said what it holds. */
    async followPayoutWhile(id: string, happen: () => void): Promise<void> {
      const held: PayoutProvider = {
        ...payoutProvider,
        async readAvailable() {
          const cents = await payoutProvider.readAvailable();
          happen();
          return cents;
        },
      };
      await followPayout({ ...payouts, provider: held }, id);
    },

    catchUp: () => catchUp(context),
    importBooks: () =>
      importBooks({
        ...context,
        warn(fault) {
          throw fault;
        },
      }),

    /** Reviews a payment, and lets something happen after the provider has answered. */
    async reviewWhile(payment: string, happen: () => Promise<void>): Promise<void> {
      const held: CardProvider = {
        ...provider,
        async retrievePayment(id) {
          const answer = await provider.retrievePayment(id);
          await happen();
          held.retrievePayment = provider.retrievePayment;
          return answer;
        },
      };
      await reviewPayment({ ...context, provider: held }, payment);
    },
    review: (payment: string) => reviewPayment(context, payment),

    /** A creator with two links on sale. */
    async openShop(prices: number[]) {
      const id = randomUUID();
      const at = new Date(now()).toISOString();
      const verified = dialectOf(db) === 'postgres' ? sql`true` : sql`1`;
      await sql`insert into "user" (id, name, "firstName", email, "emailVerified", language, "createdAt", "updatedAt")
        values (${id}, 'Ada', 'Ada', ${`${id}@example.com`}, ${verified}, 'en', ${at}, ${at})`.execute(
        db,
      );
      const links: { id: string; price: number }[] = [];
      for (const price of prices) {
        const link = await createLink(
          { db, now, minimumPriceCents: 1, providerMinimumCents: 1 },
          { ownerId: id, type: 'link', url: `https://example.com/${randomUUID()}`, price },
        );
        links.push({ id: link.id, price });
      }
      return { id, links };
    },
  };
}

export type Product = ReturnType<typeof startProduct>;

/** Nobody has to wait for jobs that do nothing here. */
async function isDue(db: Database, now: number): Promise<boolean> {
  await db
    .deleteFrom('job')
    .where('lane', 'not in', ['payments', 'follow-ups', 'reviews'])
    .execute();
  const due = await db
    .selectFrom('job')
    .where('died_at', 'is', null)
    .where('run_at', '<=', now)
    .where('locked_until', '<=', now)
    .select('id')
    .limit(1)
    .executeTakeFirst();
  return due !== undefined;
}

/** A killed process asks the provider nothing, and hears no answer. */
function mortal<Provider extends object>(provider: Provider, life: Life): Provider {
  const guarded = Object.entries(provider).map(([name, value]) => {
    if (typeof value !== 'function' || name.startsWith('list') || name === 'readEvent') {
      return [name, value];
    }
    return [
      name,
      async (...args: unknown[]) => {
        if (life.isOver) throw new Killed();
        const answer = await value(...args);
        life.use();
        return answer;
      },
    ];
  });
  return Object.fromEntries(guarded) as Provider;
}
