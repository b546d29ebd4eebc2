import type Stripe from 'stripe';
import { z } from 'zod';
import { createAccount, createOnboardingLink } from '../../operations/accounts.ts';
import { type Endpoint, endpoint, listPage, listShape, retrieves } from '../endpoint.ts';
import { choice, emailAddress, flag, metadata, text, webAddress } from '../param-types.ts';

const TYPES = ['custom', 'express', 'standard'] as const;

const controller = z.strictObject({
  fees: z.strictObject({ payer: choice(['account', 'application']) }).optional(),
  losses: z.strictObject({ payments: choice(['application', 'stripe']) }).optional(),
  requirement_collection: choice(['application', 'stripe']).optional(),
  stripe_dashboard: z.strictObject({ type: choice(['express', 'full', 'none']) }).optional(),
});

const settings = z.strictObject({
  payouts: z.strictObject({
    schedule: z.strictObject({ interval: choice(['daily', 'manual', 'monthly', 'weekly']) }),
  }),
});

export const accounts: Endpoint[] = [
  endpoint(
    'POST',
    '/v1/accounts',
    {
      business_type: choice(['company', 'individual', 'non_profit']).optional(),
      capabilities: z
        .partialRecord(
          choice(['card_payments', 'transfers']),
          z.strictObject({ requested: flag() }),
        )
        .default({}),
      controller: controller.optional(),
      country: text(2).default('US'),
      email: emailAddress().optional(),
      metadata: metadata().default({}),
      settings: settings.optional(),
      type: choice(TYPES).optional(),
    },
    (scope, params) =>
      createAccount(scope, {
        businessType: params.business_type ?? null,
        capabilities: Object.keys(params.capabilities),
        controller: withDefaults(params.controller ?? {}),
        country: params.country,
        email: params.email ?? null,
        metadata: params.metadata,
        payoutInterval: params.settings?.payouts.schedule.interval ?? 'daily',
        type: params.type ?? 'none',
      }),
  ),
  retrieves('/v1/accounts', 'account', 'account'),
  endpoint('GET', '/v1/accounts', listShape, (scope, page) =>
    listPage(scope, 'account', '/v1/accounts', page),
  ),
  endpoint(
    'POST',
    '/v1/account_links',
    {
      account: text(),
      refresh_url: webAddress(),
      return_url: webAddress(),
      type: choice(['account_onboarding', 'account_update']),
    },
    (scope, params): Stripe.AccountLink =>
      createOnboardingLink(scope, scope.objects.get('account', params.account, 'account'), {
        refreshUrl: params.refresh_url,
        returnUrl: params.return_url,
      }),
  ),
];

type GivenController = z.infer<typeof controller>;

function withDefaults(given: GivenController) {
  return {
    fees: given.fees ?? { payer: 'application' },
    losses: given.losses ?? { payments: 'application' },
    requirement_collection: given.requirement_collection ?? 'stripe',
    stripe_dashboard: given.stripe_dashboard ?? { type: 'express' },
  };
}
