import SchemaBuilder, {
  type InputFieldMap,
  type InputShapeFromFields,
  type ObjectRef,
} from '@pothos/core';
import SimpleObjectsPlugin from '@pothos/plugin-simple-objects';
import { GraphQLError, type GraphQLSchema } from 'graphql';
import type { SecretKeyDetails } from '../../../contract/account-details.ts';
import type { Fact } from '../../../contract/fact.ts';
import type { FeeRate } from '../../../contract/money.ts';
import type { DatabaseContext } from '../../ground/database/tables.ts';
import type { Change, Changes } from '../../ground/lib/changes.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { isoTime } from '../../ground/lib/time.ts';
import type { FindViewer, User, Viewer } from '../../ground/lib/viewer.ts';
import type { RateLimits } from '../http/rate-limits.ts';

/** What the resolvers use, the same for every request: each feature adds its own in its GraphQL. */
export interface SharedContext extends DatabaseContext {
  mode: 'test' | 'live';
  /** Of this product. */
  version: string;
  /** Origin without a trailing slash. */
  publicUrl: string;
  minimumPriceCents: number;
  providerMinimumCents: number;
  /** Links on sale of an account; null for any number. */
  quotaLinks: number | null;
  fee: FeeRate;
  /** @throws DomainError INVALID_INPUT when no account has this id */
  requireAccount(id: string): Promise<void>;
  /** @throws DomainError NOT_A_SELLER for an account that may not sell */
  requireSeller(accountId: string): Promise<void>;
  /** In lower case: whose accounts are operators'. */
  operatorEmails: readonly string[];
  signUp: 'open' | 'invite' | 'closed';
  /** Addresses of the accounts that may sell; null for every account. */
  sellers: readonly string[] | null;
  changes: Changes;
  limits: RateLimits;
  /** Where the buyer of a gift looks after it. */
  giftUrl(purchaseId: string): string;
  /** Where its buyer gives back what they had bought before. */
  returnUrl(purchaseId: string): string;
  /** Who bears what the provider keeps of a refunded sale. */
  refundCost: 'platform' | 'creator';
  /** Told after an account got a secret key. */
  secretKeyCreated(owner: User, key: Pick<SecretKeyDetails, 'name' | 'scopes'>): void;
}

export interface GraphqlContext extends SharedContext {
  viewer: Viewer;
  /** The network address of who asks. */
  address: string;
  /** Whether a page is drawn from the answer. */
  isPage: boolean;
  /** Who asks when this changed: a subscription may outlive the session it began with. */
  findViewer(change: Change): Promise<Viewer>;
}

/** The schema, as it is served by POST and by WebSocket. */
export interface SchemaContext {
  schema: GraphQLSchema;
  shared: SharedContext;
  findViewer: FindViewer;
  /** Off in production. */
  introspection: boolean;
}

export const builder = new SchemaBuilder<{
  Context: GraphqlContext;
  DefaultFieldNullability: false;
  Scalars: {
    /** Given out as UTC milliseconds, or as they are written. */
    DateTime: { Input: string; Output: string | number };
    URL: { Input: string; Output: string };
    Fact: { Input: never; Output: Fact };
  };
}>({ plugins: [SimpleObjectsPlugin], defaultFieldNullability: false });

for (const name of ['DateTime', 'URL'] as const) {
  builder.scalarType(name, {
    // Times are numbers in the database.
    serialize: (value) => (typeof value === 'number' ? isoTime(value) : value),
    parseValue: (value) => {
      if (typeof value !== 'string') throw new GraphQLError(`${name} must be a string`);
      return value;
    },
  });
}

builder.scalarType('Fact', {
  description:
    'What a field beside it says in English, for pages in other languages: `{ text, values }`, where ' +
    'the text is a sentence in English and the values are filled in where it has {names}.',
  serialize: (value) => value,
  parseValue() {
    throw new GraphQLError('Nothing takes a Fact');
  },
});

builder.queryType({});
builder.mutationType({});
builder.subscriptionType({});

type Types = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer Known> ? Known : never;

/** A page of a list, and the token of the page after it. */
export const listOf = <Item>(name: string, item: ObjectRef<Types, Item>) =>
  builder.simpleObject(name, {
    fields: (t) => ({
      items: t.field({ type: [item] }),
      nextToken: t.string({ nullable: true }),
    }),
  });

/** The publishable key and more may read; without any key or session nothing is. */
export function requireReader({ viewer }: Pick<GraphqlContext, 'viewer'>): void {
  if (viewer.authority === 'none') throw unauthorized('Send a valid key or sign in.');
}

/**
 * An account is managed by who is signed in to it: no key will do.
 * @throws DomainError UNAUTHORIZED
 */
export function requireUser({ viewer }: Pick<GraphqlContext, 'viewer'>): User {
  if (viewer.user) return viewer.user;
  throw unauthorized('Sign in to manage your account.');
}

/**
 * Lets who is signed in change something of their own.
 * @throws DomainError UNAUTHORIZED, RATE_LIMITED
 */
export async function requireWriter(
  context: Pick<GraphqlContext, 'viewer' | 'limits'>,
): Promise<User> {
  const user = requireUser(context);
  await context.limits.take('writes', user.id);
  return user;
}

export type { InputFieldMap };

export interface MutationOptions<Who, Args extends InputFieldMap> {
  description: string;
  args: Args;
  run(context: GraphqlContext, who: Who, given: InputShapeFromFields<Args>): Promise<unknown>;
}

/** Describes what whoever is signed in does to something of their own; `true` is answered. */
export function ownMutation<Args extends InputFieldMap>(
  name: string,
  { description, args, run }: MutationOptions<User, Args>,
): void {
  builder.mutationField(name, (t) =>
    t.boolean({
      description,
      args,
      resolve: async (_root, given, context) => {
        await run(context, await requireWriter(context), given);
        return true;
      },
    }),
  );
}

/** For what needs to be told no more than what it is done to. */
export const BY_ID = builder.args((t) => ({ id: t.id({ required: true }) }));

export function unauthorized(advice: string): DomainError {
  return new DomainError('UNAUTHORIZED', `Unauthorized: ${advice}`);
}
