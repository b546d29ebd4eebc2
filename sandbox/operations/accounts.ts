import type Stripe from 'stripe';
import { newId } from '../new-id.ts';
import type { Scope } from '../scope.ts';
import { emitEvent } from './emit-event.ts';

interface NewAccount {
  businessType: string | null;
  /** Names of the capabilities asked for; they become active with the onboarding. */
  capabilities: string[];
  controller: Omit<Stripe.Account.Controller, 'type' | 'is_controller'>;
  country: string;
  email: string | null;
  metadata: Record<string, string>;
  payoutInterval: string;
  type: Stripe.Account['type'];
}

/** What someone has to fill in before an account may be paid. */
const NEEDED = ['external_account', 'tos_acceptance.date', 'tos_acceptance.ip'];

/** Opens a connected account that has yet to be onboarded. */
export function createAccount(scope: Scope, given: NewAccount): Stripe.Account {
  const id = newId('acct', 16);
  const account: Stripe.Account = {
    id,
    object: 'account',
    business_profile: null,
    business_type: given.businessType,
    capabilities: Object.fromEntries(given.capabilities.map((name) => [name, 'inactive'])),
    charges_enabled: false,
    controller: { type: 'application', is_controller: true, ...given.controller },
    country: given.country,
    created: scope.now,
    default_currency: 'usd',
    details_submitted: false,
    email: given.email,
    external_accounts: {
      object: 'list',
      data: [],
      has_more: false,
      url: `/v1/accounts/${id}/external_accounts`,
    },
    future_requirements: requirements([]),
    metadata: given.metadata,
    payouts_enabled: false,
    requirements: { ...requirements(NEEDED), disabled_reason: 'requirements.past_due' },
    settings: {
      branding: { icon: null, logo: null, primary_color: null, secondary_color: null },
      card_payments: {
        statement_descriptor_prefix: null,
        statement_descriptor_prefix_kana: null,
        statement_descriptor_prefix_kanji: null,
      },
      dashboard: { display_name: null, timezone: 'Etc/UTC' },
      payments: {
        statement_descriptor: null,
        statement_descriptor_kana: null,
        statement_descriptor_kanji: null,
        statement_descriptor_prefix_kana: null,
        statement_descriptor_prefix_kanji: null,
      },
      payouts: {
        debit_negative_balances: true,
        schedule: { delay_days: 2, interval: given.payoutInterval },
        statement_descriptor: null,
      },
    },
    tos_acceptance: { date: null, ip: null, user_agent: null },
    type: given.type,
  };
  scope.objects.insert('account', account);
  return account;
}

/** The requirements of an account of which these fields are missing. */
function requirements(missing: string[]): Stripe.Account.Requirements {
  return {
    alternatives: [],
    current_deadline: null,
    currently_due: missing,
    disabled_reason: null,
    errors: [],
    eventually_due: missing,
    past_due: missing,
    pending_verification: [],
  };
}

/** As long as the provider's. */
const VALID_SECONDS = 5 * 60;

/** Invites the owner of a connected account to the hosted onboarding page, once and for minutes. */
export function createOnboardingLink(
  scope: Scope,
  account: Stripe.Account,
  urls: { refreshUrl: string; returnUrl: string },
): Stripe.AccountLink {
  const id = newId('link', 32);
  const expiresAt = scope.now + VALID_SECONDS;
  scope.objects.insert('onboarding_link', {
    id,
    account: account.id,
    expiresAt,
    used: false,
    ...urls,
  });
  return {
    object: 'account_link',
    created: scope.now,
    expires_at: expiresAt,
    url: `${scope.publicUrl}/sandbox/connect/${id}`,
  };
}

/** The provider's test bank accounts (https://docs.stripe.com/connect/testing#account-numbers). */
export const TEST_BANK_ACCOUNTS = [
  { number: '000123456789', hint: 'Payouts arrive' },
  { number: '000111111116', hint: 'Payouts fail' },
] as const;

/** Completes a connected account: it has a bank account now, and may be paid. */
export function finishOnboarding(
  scope: Scope,
  account: Stripe.Account,
  bankAccountNumber: string,
): Stripe.Account {
  const bank: Stripe.BankAccount = {
    id: newId('ba'),
    object: 'bank_account',
    account: account.id,
    account_holder_name: null,
    account_holder_type: null,
    account_type: null,
    available_payout_methods: ['standard'],
    bank_name: 'STRIPE TEST BANK',
    country: account.country ?? 'US',
    currency: 'usd',
    default_for_currency: true,
    fingerprint: null,
    last4: bankAccountNumber.slice(-4),
    metadata: {},
    routing_number: '110000000',
    status: 'new',
  };
  const capabilities = Object.keys(account.capabilities ?? {});
  const onboarded: Stripe.Account = {
    ...account,
    capabilities: Object.fromEntries(capabilities.map((name) => [name, 'active'])),
    charges_enabled: capabilities.includes('card_payments'),
    details_submitted: true,
    external_accounts: {
      object: 'list',
      data: [bank],
      has_more: false,
      url: `/v1/accounts/${account.id}/external_accounts`,
    },
    payouts_enabled: true,
    requirements: requirements([]),
    tos_acceptance: { date: scope.now, ip: '127.0.0.1', user_agent: null },
  };
  scope.objects.update('account', onboarded);
  emitEvent(scope.forAccount(account.id), 'account.updated', onboarded, {
    details_submitted: account.details_submitted,
    payouts_enabled: account.payouts_enabled,
  });
  return onboarded;
}
