import type Stripe from 'stripe';
import type { Scope } from '../scope.ts';

/**
 * The bank account of the connected account acted for. The platform itself has none: its own
 * payouts are no part of the sandbox.
 */
export function bankAccountOf(scope: Scope): Stripe.ExternalAccount | undefined {
  if (scope.account === null) return undefined;
  const account = scope.forAccount(null).objects.get('account', scope.account);
  return account.external_accounts?.data[0];
}
