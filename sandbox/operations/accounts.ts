import type Stripe from 'stripe';
import { newId } from '../new-id.ts';
import type { Scope } from '../scope.ts';
import type { AccountLink, ConnectedAccount } from '../store/kinds.ts';
import { invalidRequest } from '../stripe-error.ts';
import { emitEvent, emitThinEvent } from './emit-event.ts';
import { ownerOf } from './payouts.ts';
import { canBePaid, showAccountV1 } from './show-account.ts';

type NewAccount = Pick<
  ConnectedAccount,
  'country' | 'displayName' | 'email' | 'entityType' | 'metadata' | 'wantsTransfers'
>;

/** What someone has to fill in before an account may be paid. */
const NEEDED = [
  'external_account',
  'identity.attestations.terms_of_service.account.date',
  'identity.attestations.terms_of_service.account.ip',
  'identity.individual.date_of_birth.day',
  'identity.individual.date_of_birth.month',
  'identity.individual.date_of_birth.year',
  'identity.individual.given_name',
  'identity.individual.surname',
];

/** Opens a connected account that has yet to be onboarded. */
export function createAccount(scope: Scope, given: NewAccount): ConnectedAccount {
  const account: ConnectedAccount = {
    ...given,
    id: newId('acct', 16),
    created: scope.now,
    payoutInterval: 'daily',
    bankAccount: null,
    missing: given.wantsTransfers ? NEEDED : [],
  };
  scope.objects.insert('account', account);
  return account;
}

/** The account that a request is made for. @throws StripeError for the platform */
export function accountActedFor(scope: Scope): ConnectedAccount {
  const account = ownerOf(scope);
  if (account) return account;
  throw invalidRequest('The sandbox does this for connected accounts only: name one.');
}

/** Whether and when an account's balance is paid out by itself; the sandbox never does it. */
export function setPayoutInterval(
  scope: Scope,
  payoutInterval: ConnectedAccount['payoutInterval'],
): ConnectedAccount {
  const changed = { ...accountActedFor(scope), payoutInterval };
  scope.forAccount(null).objects.update('account', changed);
  return changed;
}

/** As long as the provider's. */
const VALID_SECONDS = 5 * 60;

/** Invites the owner of a connected account to the hosted onboarding page, once and for minutes. */
export function createOnboardingLink(
  scope: Scope,
  { id: account }: ConnectedAccount,
  onboarding: NonNullable<AccountLink['onboarding']>,
) {
  return createLink(scope, { account, onboarding });
}

/**
 * Lets the owner of a connected account in to its own dashboard.
 * @throws StripeError while the account has not been onboarded
 */
export function createLoginLink(scope: Scope, account: ConnectedAccount): Stripe.LoginLink {
  if (!account.bankAccount) {
    throw invalidRequest(
      'Cannot create a login link for an account that has not completed onboarding.',
    );
  }
  const { url } = createLink(scope, { account: account.id, onboarding: null });
  return { object: 'login_link', created: scope.now, url };
}

function createLink(scope: Scope, given: Pick<AccountLink, 'account' | 'onboarding'>) {
  const id = newId('link', 32);
  const expiresAt = scope.now + VALID_SECONDS;
  scope.objects.insert('account_link', { id, expiresAt, used: false, ...given });
  const page = given.onboarding ? 'connect' : 'express';
  return { expiresAt, url: `${scope.publicUrl}/sandbox/${page}/${id}` };
}

/** The provider's test bank accounts (https://docs.stripe.com/connect/testing#account-numbers). */
export const TEST_BANK_ACCOUNTS = [
  { number: '000123456789', hint: 'Payouts arrive' },
  { number: '000111111116', hint: 'Payouts fail' },
] as const;

/** All that was missing is provided, and money will go to this bank account from now on. */
export function finishOnboarding(
  scope: Scope,
  account: ConnectedAccount,
  bankAccountNumber: string,
): ConnectedAccount {
  const bankAccount = { id: newId('ba'), last4: bankAccountNumber.slice(-4) };
  return change(scope, account, { bankAccount, missing: [] });
}

/** The provider asks for one more thing, and pays the account nothing until it has it. */
export function requireMore(
  scope: Scope,
  account: ConnectedAccount,
  requirement: string,
): ConnectedAccount {
  return change(scope, account, { missing: [...account.missing, requirement] });
}

function change(
  scope: Scope,
  account: ConnectedAccount,
  to: Partial<ConnectedAccount>,
): ConnectedAccount {
  const changed = { ...account, ...to };
  scope.objects.update('account', changed);
  const { details_submitted, payouts_enabled } = showAccountV1(account);
  emitEvent(scope.forAccount(account.id), 'account.updated', showAccountV1(changed), {
    details_submitted,
    payouts_enabled,
  });
  const subject = {
    id: account.id,
    type: 'v2.core.account',
    url: `/v2/core/accounts/${account.id}`,
  };
  emitThinEvent(scope, 'v2.core.account[requirements].updated', subject);
  if (canBePaid(account) !== canBePaid(changed)) {
    emitThinEvent(
      scope,
      'v2.core.account[configuration.recipient].capability_status_updated',
      subject,
      { updated_capability: 'stripe_balance.stripe_transfers' },
    );
  }
  return changed;
}
