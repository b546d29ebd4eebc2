import Stripe from 'stripe';
import { type Fact, fact } from '../../../contract/fact.ts';
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

export const KEYS = 'https://dashboard.stripe.com/apikeys';

/**
 * @param connect whether creators are paid through the provider
 * @throws StripeError when the provider does not answer, or does not know the key
 */
export async function findMissingPermissions(stripe: Stripe, connect: boolean): Promise<Fact[]> {
  const permissions = connect ? [...PERMISSIONS, ...PERMISSIONS_OF_PAYOUTS] : PERMISSIONS;
  const missing = await Promise.all(
    permissions.map(async ([name, call]) => ((await isAllowed(call(stripe))) ? [] : [name])),
  );
  return missing.flat().map((permission) =>
    fact('STRIPE_SECRET_KEY lacks the permission {permission}. Grant it at {keys}.', {
      permission,
      keys: KEYS,
    }),
  );
}

/** Whether a call was not refused for want of a permission. @throws what the provider did not answer */
export async function isAllowed(call: Promise<unknown>): Promise<boolean> {
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
