import type Stripe from 'stripe';
import { z } from 'zod';
import {
  accountActedFor,
  createAccount,
  createLoginLink,
  createOnboardingLink,
  setPayoutInterval,
} from '../../operations/accounts.ts';
import {
  showAccountV1,
  showAccountV2,
  showBalanceSettings,
} from '../../operations/show-account.ts';
import { PLATFORM } from '../../scope.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { choice, emailAddress, metadata, text, webAddress } from '../param-types.ts';

const requested = z.strictObject({ requested: z.boolean() });

const recipient = z.strictObject({
  capabilities: z.strictObject({
    stripe_balance: z.strictObject({ stripe_transfers: requested }),
  }),
});

/** The one division of labor that is supported: fees and losses are the platform's. */
const defaults = z.strictObject({
  currency: choice(['usd']).optional(),
  responsibilities: z.strictObject({
    fees_collector: choice(['application']),
    losses_collector: choice(['application']),
  }),
});

const identity = z.strictObject({
  country: text(2),
  entity_type: choice(['company', 'government_entity', 'individual', 'non_profit']).optional(),
});

const include = z
  .array(
    choice([
      'configuration.customer',
      'configuration.merchant',
      'configuration.recipient',
      'defaults',
      'future_requirements',
      'identity',
      'requirements',
    ]),
  )
  .default([]);

const ACCOUNTS = '/v2/core/accounts';
const LINKS = '/v2/core/account_links';
const SETTINGS = '/v1/balance_settings';

const flow = z.strictObject({ refresh_url: webAddress(), return_url: webAddress() });

export const accounts: Endpoint[] = [
  endpoint(
    'GET',
    '/v1/account',
    {},
    (): Pick<Stripe.Account, 'id' | 'object'> => ({
      id: PLATFORM,
      object: 'account',
    }),
  ),
  endpoint(
    'POST',
    ACCOUNTS,
    {
      configuration: z.strictObject({ recipient }).optional(),
      contact_email: emailAddress().optional(),
      dashboard: choice(['express']),
      defaults,
      display_name: text().optional(),
      identity,
      include,
      metadata: metadata().default({}),
    },
    (scope, params) => {
      const balance = params.configuration?.recipient.capabilities.stripe_balance;
      const account = createAccount(scope, {
        country: params.identity.country,
        displayName: params.display_name ?? null,
        email: params.contact_email ?? null,
        entityType: params.identity.entity_type ?? null,
        metadata: params.metadata,
        wantsTransfers: balance?.stripe_transfers.requested ?? false,
      });
      return showAccountV2(account, params.include);
    },
  ),
  endpoint('GET', `${ACCOUNTS}/:id`, { include }, (scope, params, ids) =>
    showAccountV2(scope.objects.get('account', ids.id), params.include),
  ),
  endpoint(
    'POST',
    LINKS,
    {
      account: text(),
      use_case: z.strictObject({
        type: choice(['account_onboarding']),
        account_onboarding: flow,
      }),
    },
    (scope, { account: id, use_case }): Stripe.V2.Core.AccountLink => {
      const { refresh_url: refreshUrl, return_url: returnUrl } = use_case.account_onboarding;
      const account = scope.objects.get('account', id, 'account');
      const { url, expiresAt } = createOnboardingLink(scope, account, { refreshUrl, returnUrl });
      return {
        object: 'v2.core.account_link',
        account: id,
        created: new Date(scope.now * 1000).toISOString(),
        expires_at: new Date(expiresAt * 1000).toISOString(),
        livemode: false,
        url,
        use_case,
      };
    },
  ),
  endpoint('GET', '/v1/accounts/:id', {}, (scope, _params, ids) =>
    showAccountV1(scope.objects.get('account', ids.id, 'account')),
  ),
  endpoint('POST', '/v1/accounts/:id/login_links', {}, (scope, _params, ids) =>
    createLoginLink(scope, scope.objects.get('account', ids.id, 'account')),
  ),
  endpoint('GET', SETTINGS, {}, (scope) => showBalanceSettings(accountActedFor(scope))),
  endpoint(
    'POST',
    SETTINGS,
    {
      payments: z.strictObject({
        payouts: z.strictObject({
          schedule: z.strictObject({ interval: choice(['daily', 'manual', 'monthly', 'weekly']) }),
        }),
      }),
    },
    (scope, { payments }) =>
      showBalanceSettings(setPayoutInterval(scope, payments.payouts.schedule.interval)),
  ),
];
