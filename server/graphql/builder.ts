import SchemaBuilder from '@pothos/core';
import SimpleObjectsPlugin from '@pothos/plugin-simple-objects';
import { GraphQLError } from 'graphql';
import type { SecretKeyDetails } from '../../contract/account-details.ts';
import type { FeeRate } from '../../contract/money.ts';
import type { FileStore } from '../files/file-store.ts';
import type { Hook } from '../hooks/tables.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import type { Change, Changes } from '../lib/changes.ts';
import { DomainError } from '../lib/domain-error.ts';
import { requireScope, type User, type Viewer } from '../lib/viewer.ts';
import type { LinkAuthor, LinkReaders } from '../links/queries.ts';
import type { Refunder } from '../payments/refund-sale.ts';
import type { PayoutContext } from '../payouts/context.ts';

/** What the resolvers use, the same for every request. */
export interface SharedContext extends LinkReaders {
  mode: 'test' | 'live';
  /** Of this product. */
  version: string;
  store: FileStore;
  payouts: PayoutContext;
  /** Origin without a trailing slash. */
  publicUrl: string;
  minimumPriceCents: number;
  providerMinimumCents: number;
  /** Links on sale of an account; null for any number. */
  quotaLinks: number | null;
  fee: FeeRate;
  /** @throws DomainError NOT_A_SELLER for an account that may not sell */
  requireSeller(accountId: string): Promise<void>;
  now: () => number;
  /** In lower case: whose accounts are operators'. */
  operatorEmails: readonly string[];
  signUp: 'open' | 'invite' | 'closed';
  /** Addresses of the accounts that may sell; null for every account. */
  sellers: readonly string[] | null;
  changes: Changes;
  /** Asks the provider what became of the viewer's own checkout, as often as may be. */
  refreshCheckout(viewer: Viewer, sessionId: string): Promise<void>;
  limits: RateLimits;
  /** Where the buyer of a gift looks after it. */
  giftUrl(purchaseId: string): string;
  /** Where its buyer gives back what they had bought before. */
  returnUrl(purchaseId: string): string;
  /**
   * Gives a sale back, whole or in part. Cents; all that is left where they are null.
   * @throws DomainError NOT_FOUND, INVALID_INPUT, REFUND_REFUSED
   */
  refundSale(refund: {
    by: Refunder;
    purchaseId: string;
    amountCents: number | null;
    reason: string;
  }): Promise<void>;
  /** Who bears what the provider keeps of a refunded sale. */
  refundCost: 'platform' | 'creator';
  /** Of webhooks: the secret of each, and whether they may be spoken to without TLS. */
  hooks: { secretOf(hook: Pick<Hook, 'id' | 'generation'>): string; allowPrivate: boolean };
  /** Told after an account got a secret key. */
  secretKeyCreated(owner: User, key: Pick<SecretKeyDetails, 'name' | 'scopes'>): void;
}

export interface GraphqlContext extends SharedContext {
  viewer: Viewer;
  /** The network address of who asks. */
  address: string;
  /** Who asks when this changed: a subscription may outlive the session it began with. */
  findViewer(change: Change): Promise<Viewer>;
}

export const builder = new SchemaBuilder<{
  Context: GraphqlContext;
  DefaultFieldNullability: false;
  Scalars: {
    DateTime: { Input: string; Output: string };
    URL: { Input: string; Output: string };
  };
}>({ plugins: [SimpleObjectsPlugin], defaultFieldNullability: false });

for (const name of ['DateTime', 'URL'] as const) {
  builder.scalarType(name, {
    serialize: (value) => value,
    parseValue: (value) => {
      if (typeof value !== 'string') throw new GraphQLError(`${name} must be a string`);
      return value;
    },
  });
}

builder.queryType({});
builder.mutationType({});
builder.subscriptionType({});

/** The publishable key and more may read; without any key or session nothing is. */
export function requireReader({ viewer }: Pick<GraphqlContext, 'viewer'>): void {
  if (viewer.authority === 'none') throw unauthorized('Send a valid key or sign in.');
}

/** @throws DomainError UNAUTHORIZED or SCOPE_MISSING unless the viewer may write links, RATE_LIMITED in a flood */
export async function requireAuthor({
  viewer,
  limits,
}: Pick<GraphqlContext, 'viewer' | 'limits'>): Promise<LinkAuthor> {
  if (viewer.authority === 'operator') return { kind: 'operator' };
  const userId = requireScope(viewer, 'sell', 'Unauthorized: Sign in to change links.');
  await limits.take('writes', userId);
  return { kind: 'creator', userId };
}

/**
 * An account is managed by who is signed in to it: no key will do.
 * @throws DomainError UNAUTHORIZED
 */
export function requireUser({ viewer }: Pick<GraphqlContext, 'viewer'>): User {
  if (viewer.user) return viewer.user;
  throw unauthorized('Sign in to manage your account.');
}

export function unauthorized(advice: string): DomainError {
  return new DomainError('UNAUTHORIZED', `Unauthorized: ${advice}`);
}
