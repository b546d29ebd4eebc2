import type Stripe from 'stripe';
import { newId } from '../new-id.ts';
import type { Scope } from '../scope.ts';
import { requirements } from './create-account.ts';
import { emitEvent } from './emit-event.ts';

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
