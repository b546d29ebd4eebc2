import type Stripe from 'stripe';
import { newId } from '../new-id.ts';
import type { Scope } from '../scope.ts';

export interface NewAccount {
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
export function requirements(missing: string[]): Stripe.Account.Requirements {
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
