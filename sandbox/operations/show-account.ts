import type Stripe from 'stripe';
import type { ConnectedAccount } from '../store/kinds.ts';
import { nulls } from './nulls.ts';

type Capability = Stripe.V2.Core.Account.Configuration.Recipient.Capabilities.StripeBalance.Payouts;

/** Whether money can be transferred to an account, and paid out from it. */
export function canBePaid({ wantsTransfers, missing }: ConnectedAccount): boolean {
  return wantsTransfers && missing.length === 0;
}

type Included = Stripe.V2.Core.AccountCreateParams.Include;

/** An account as API v2 shows it, with the parts that were asked for. */
export function showAccountV2(
  account: ConnectedAccount,
  include: readonly Included[],
): Stripe.V2.Core.Account {
  const isAsked = (part: Included) => include.includes(part);
  return {
    id: account.id,
    object: 'v2.core.account',
    applied_configurations: account.wantsTransfers ? ['recipient'] : [],
    closed: false,
    ...(isAsked('configuration.recipient') && {
      configuration: { recipient: recipientOf(account) },
    }),
    ...(account.email !== null && { contact_email: account.email }),
    created: new Date(account.created * 1000).toISOString(),
    dashboard: 'express',
    ...(isAsked('defaults') && {
      defaults: {
        currency: 'usd',
        responsibilities: {
          fees_collector: 'application',
          losses_collector: 'application',
          requirements_collector: 'stripe',
        },
      },
    }),
    ...(account.displayName !== null && { display_name: account.displayName }),
    ...(isAsked('identity') && {
      identity: {
        country: account.country.toLowerCase(),
        ...(account.entityType && { entity_type: account.entityType }),
      },
    }),
    livemode: false,
    metadata: account.metadata,
    ...(isAsked('requirements') && { requirements: requirementsV2(account) }),
  };
}

function recipientOf(account: ConnectedAccount): Stripe.V2.Core.Account.Configuration.Recipient {
  if (!account.wantsTransfers) return { applied: false };
  const capability: Capability = canBePaid(account)
    ? { status: 'active', status_details: [] }
    : {
        status: 'restricted',
        status_details: [{ code: 'requirements_past_due', resolution: 'provide_info' }],
      };
  return {
    applied: true,
    capabilities: { stripe_balance: { payouts: capability, stripe_transfers: capability } },
  };
}

function requirementsV2({ missing }: ConnectedAccount): Stripe.V2.Core.Account.Requirements {
  const deadline = { status: 'past_due' } as const;
  const impact = (['stripe_balance.payouts', 'stripe_balance.stripe_transfers'] as const).map(
    (capability) => ({ capability, configuration: 'recipient' as const, deadline }),
  );
  return {
    entries: missing.map((description) => ({
      awaiting_action_from: 'user',
      description,
      errors: [],
      impact: { restricts_capabilities: impact },
      minimum_deadline: deadline,
      requested_reasons: [{ code: 'routine_onboarding' }],
    })),
    ...(missing.length > 0 && { summary: { minimum_deadline: deadline } }),
  };
}

export function showAccountV1(account: ConnectedAccount): Stripe.Account {
  const { id, missing } = account;
  const isOnboarded = account.bankAccount !== null;
  return {
    id,
    object: 'account',
    business_profile: null,
    business_type: account.entityType === 'government_entity' ? null : account.entityType,
    capabilities: account.wantsTransfers
      ? { transfers: canBePaid(account) ? 'active' : 'inactive' }
      : {},
    charges_enabled: false,
    controller: {
      type: 'application',
      is_controller: true,
      fees: { payer: 'application' },
      losses: { payments: 'application' },
      requirement_collection: 'stripe',
      stripe_dashboard: { type: 'express' },
    },
    country: account.country.toUpperCase(),
    created: account.created,
    default_currency: 'usd',
    details_submitted: isOnboarded,
    email: account.email,
    external_accounts: {
      object: 'list',
      data: bankAccountsOf(account),
      has_more: false,
      url: `/v1/accounts/${id}/external_accounts`,
    },
    future_requirements: requirementsV1([]),
    metadata: account.metadata,
    payouts_enabled: canBePaid(account),
    requirements: requirementsV1(missing.map((name) => NAMES_IN_V1[name] ?? name)),
    settings: {
      branding: { icon: null, logo: null, primary_color: null, secondary_color: null },
      card_payments: {
        statement_descriptor_prefix: null,
        statement_descriptor_prefix_kana: null,
        statement_descriptor_prefix_kanji: null,
      },
      dashboard: { display_name: account.displayName, timezone: 'Etc/UTC' },
      payments: {
        statement_descriptor: null,
        statement_descriptor_kana: null,
        statement_descriptor_kanji: null,
        statement_descriptor_prefix_kana: null,
        statement_descriptor_prefix_kanji: null,
      },
      payouts: {
        debit_negative_balances: true,
        schedule: { delay_days: 2, interval: account.payoutInterval ?? 'daily' },
        statement_descriptor: null,
      },
    },
    tos_acceptance: isOnboarded
      ? { date: account.created, ip: '127.0.0.1', user_agent: null }
      : { date: null, ip: null, user_agent: null },
    type: 'none',
  };
}

function bankAccountsOf({ id, bankAccount, country }: ConnectedAccount): Stripe.BankAccount[] {
  if (!bankAccount) return [];
  return [
    {
      id: bankAccount.id,
      object: 'bank_account',
      account: id,
      ...nulls(['account_holder_name', 'account_holder_type', 'account_type', 'fingerprint']),
      available_payout_methods: ['standard'],
      bank_name: 'STRIPE TEST BANK',
      country: country.toUpperCase(),
      currency: 'usd',
      default_for_currency: true,
      last4: bankAccount.last4,
      metadata: {},
      routing_number: '110000000',
      status: 'new',
    },
  ];
}

/** What API v1 calls the things that may be missing, where it has another name for them. */
const NAMES_IN_V1: Record<string, string> = {
  'identity.attestations.terms_of_service.account.date': 'tos_acceptance.date',
  'identity.attestations.terms_of_service.account.ip': 'tos_acceptance.ip',
  'identity.individual.date_of_birth.day': 'individual.dob.day',
  'identity.individual.date_of_birth.month': 'individual.dob.month',
  'identity.individual.date_of_birth.year': 'individual.dob.year',
  'identity.individual.given_name': 'individual.first_name',
  'identity.individual.surname': 'individual.last_name',
  'identity.individual.verification.document': 'individual.verification.document',
};

function requirementsV1(missing: string[]): Stripe.Account.Requirements {
  return {
    alternatives: [],
    current_deadline: null,
    currently_due: missing,
    disabled_reason: missing.length > 0 ? 'requirements.past_due' : null,
    errors: [],
    eventually_due: missing,
    past_due: missing,
    pending_verification: [],
  };
}

export function showBalanceSettings(account: ConnectedAccount): Stripe.BalanceSettings {
  return {
    object: 'balance_settings',
    payments: {
      debit_negative_balances: true,
      payouts: {
        automatic_transfer_rules_by_currency: null,
        minimum_balance_by_currency: null,
        schedule: { interval: account.payoutInterval },
        statement_descriptor: null,
        status: canBePaid(account) ? 'enabled' : 'disabled',
      },
      settlement_timing: { delay_days: 2, start_of_day: null },
    },
  };
}
