import Stripe from 'stripe';
import { texts } from '../../../contract/fact.ts';
import {
  InsufficientFundsError,
  type PayoutProvider,
  PayoutRefusedError,
  type SentPayout,
} from '../../money/payouts/payout-provider.ts';
import { idOf, PAGE } from './read-payment.ts';

/** What carries money to creators: their accounts here are recipients of the platform's transfers. */
export function openPayouts(stripe: Stripe, mode: PayoutProvider['mode']): PayoutProvider {
  return {
    mode,
    createAccount: (request) => orRefusal(createAccount(stripe, request)),
    retrieveAccount: (accountId) => retrieveAccount(stripe, accountId),
    async onboardingUrl({ accountId, returnUrl, refreshUrl }) {
      const { url } = await stripe.v2.core.accountLinks.create({
        account: accountId,
        use_case: {
          type: 'account_onboarding',
          account_onboarding: { return_url: returnUrl, refresh_url: refreshUrl },
        },
      });
      return url;
    },
    dashboardUrl: async (accountId) => (await stripe.accounts.createLoginLink(accountId)).url,
    async readAvailable() {
      const { available } = await stripe.balance.retrieve();
      const inDollars = available.filter(({ currency }) => currency === 'usd');
      return inDollars.reduce((sum, { amount }) => sum + amount, 0);
    },
    async transfer({ payoutId, accountId, amountCents, idempotencyKey }) {
      const { id } = await orRefusal(
        stripe.transfers.create(
          {
            amount: amountCents,
            currency: 'usd',
            destination: accountId,
            transfer_group: payoutId,
            metadata: { payout_id: payoutId },
          },
          { idempotencyKey },
        ),
      );
      return id;
    },
    async reverseTransfer({ transferId, idempotencyKey }) {
      const back = stripe.transfers.createReversal(transferId, {}, { idempotencyKey });
      await orRefusal(back).catch(async (error) => {
        if (!(error instanceof PayoutRefusedError)) throw error;
        if (!(await stripe.transfers.retrieve(transferId)).reversed) throw error;
      });
    },
    findTransfer: (payoutId) => findTransfer(stripe, payoutId),
    async payOut({ payoutId, accountId, amountCents, idempotencyKey }) {
      const options = { stripeAccount: accountId };
      const made = await findPayout(stripe, accountId, idempotencyKey);
      if (made) return toSentPayout(made);
      const arrived = await readArrived(stripe, payoutId, accountId);
      const sent = stripe.payouts.create(
        {
          ...(arrived ?? { amount: amountCents, currency: 'usd' }),
          metadata: { payout_id: payoutId, attempt: idempotencyKey },
        },
        { ...options, idempotencyKey },
      );
      return toSentPayout(await orRefusal(sent));
    },
    async retrievePayout({ accountId, id }) {
      return toSentPayout(await stripe.payouts.retrieve(id, {}, { stripeAccount: accountId }));
    },
  };
}

async function createAccount(
  stripe: Stripe,
  request: Parameters<PayoutProvider['createAccount']>[0],
): Promise<string> {
  const { id } = await stripe.v2.core.accounts.create(
    {
      contact_email: request.email,
      display_name: request.displayName,
      dashboard: 'express',
      identity: { country: request.country.toLowerCase() },
      configuration: {
        recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
      },
      defaults: {
        responsibilities: { fees_collector: 'application', losses_collector: 'application' },
      },
      metadata: { owner_id: request.ownerId },
    },
    { idempotencyKey: request.idempotencyKey },
  );
  // What is transferred is paid out when it is asked for, so that no second payout is under way.
  await stripe.balanceSettings.update(
    { payments: { payouts: { schedule: { interval: 'manual' } } } },
    { stripeAccount: id },
  );
  return id;
}

async function retrieveAccount(stripe: Stripe, accountId: string) {
  const [account, { external_accounts: external }] = await Promise.all([
    stripe.v2.core.accounts.retrieve(accountId, {
      include: ['configuration.recipient', 'requirements'],
    }),
    // Only the older API says where the money goes.
    stripe.accounts.retrieve(accountId),
  ]);
  const { stripe_transfers: transfers, payouts } =
    account.configuration?.recipient?.capabilities?.stripe_balance ?? {};
  const due = (account.requirements?.entries ?? []).filter(
    ({ awaiting_action_from: from, minimum_deadline: deadline }) =>
      from === 'user' && deadline.status !== 'eventually_due',
  );
  // One for each currency: what is paid out in any of them follows a change.
  const banks = (external?.data ?? []).filter(({ default_for_currency: isDefault }) => isDefault);
  const names = banks.map((bank) => `${nameOf(bank)} ••${bank.last4}`).sort();
  return {
    id: account.id,
    isReady: banks.length > 0 && transfers?.status === 'active' && payouts?.status === 'active',
    missing: [...new Set(due.map(({ description }) => describeRequirement(description)))],
    bankAccount: names.length > 0 ? new Intl.ListFormat('en-US').format(names) : null,
  };
}

/** In plain words, what stands in a requirement's name; the first that fits. */
const WORDS = texts<[RegExp, string][]>([
  [/external_account|bank_account|payout_method/, 'a bank account'],
  [/document|selfie|verification/, 'proof of identity'],
  [/id_number|tax_id|ssn/, 'an identification number'],
  [/terms_of_service|tos_acceptance/, 'agreement to the payment provider’s terms'],
  [/date_of_birth|\bdob\b/, 'a date of birth'],
  [/address/, 'an address'],
  [/phone/, 'a phone number'],
  [/email/, 'an email address'],
  [/name/, 'a name'],
  [/profile|url|mcc|product_description/, 'a description of the business'],
]);

function describeRequirement(name: string): string {
  return WORDS.find(([pattern]) => pattern.test(name))?.[1] ?? texts('further details');
}

function nameOf(account: Stripe.ExternalAccount): string {
  return account.object === 'card' ? account.brand : (account.bank_name ?? 'Bank account');
}

async function findTransfer(stripe: Stripe, payoutId: string) {
  const { data } = await stripe.transfers.list({ transfer_group: payoutId, limit: 1 });
  return data[0] ?? null;
}

/** A key is forgotten after a day, and an answer may have been lost for longer. */
async function findPayout(stripe: Stripe, stripeAccount: string, attempt: string) {
  const { data } = await stripe.payouts.list({ limit: PAGE }, { stripeAccount });
  return data.find(({ metadata }) => metadata?.attempt === attempt);
}

/**
 * What a payout's transfer became in the creator's account, where it settles in another currency.
 */
async function readArrived(
  stripe: Stripe,
  payoutId: string,
  stripeAccount: string,
): Promise<{ amount: number; currency: string } | null> {
  const payment = idOf((await findTransfer(stripe, payoutId))?.destination_payment);
  if (!payment) return null;
  const expand = ['balance_transaction'];
  const charge = await stripe.charges.retrieve(payment, { expand }, { stripeAccount });
  const { balance_transaction: booked } = charge;
  if (!booked || typeof booked === 'string' || booked.currency === 'usd') return null;
  return { amount: booked.net, currency: booked.currency };
}

function toSentPayout({ id, status, failure_message: failure }: Stripe.Payout): SentPayout {
  if (status === 'paid') return { id, state: 'paid', failure: null };
  if (status === 'failed') return { id, state: 'failed', failure };
  if (status === 'canceled')
    return { id, state: 'failed', failure: texts('The payout was canceled.') };
  return { id, state: 'pending', failure: null };
}

async function orRefusal<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    throw asRefusal(error);
  }
}

const TOO_LITTLE = ['balance_insufficient', 'insufficient_funds'];

/**
 * A refusal is what the provider says of the request itself. A key that lacks a permission or is
 * being used by another request, too many requests, and a provider that fails say nothing of it:
 * money may be under way, and the question is to be asked again.
 */
function asRefusal(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  const { code, rawType, message } = error;
  if ([code, rawType].some((word) => TOO_LITTLE.includes(word ?? ''))) {
    return new InsufficientFundsError(message, { cause: error });
  }
  const isRefusal =
    error instanceof Stripe.errors.StripeInvalidRequestError ||
    error instanceof Stripe.errors.StripeCardError ||
    isOfNoSuchAccount(error);
  return isRefusal ? new PayoutRefusedError(message, { cause: error }) : error;
}

/** The provider speaks of a missing permission where an account is no longer connected, too. */
export function isOfNoSuchAccount(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.code === 'account_invalid';
}
