import type Stripe from 'stripe';
import { newId } from '../new-id.ts';
import type { Scope } from '../scope.ts';

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
