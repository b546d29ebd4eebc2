import { PAYOUT_COUNTRIES } from '../../../contract/payout-countries.ts';
import { builder, type GraphqlContext, requireUser } from '../../edge/graphql/builder.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { isoTime } from '../../ground/lib/time.ts';
import { requireFreshSignIn, requireScope, type User } from '../../ground/lib/viewer.ts';
import type { PayoutContext } from './context.ts';
import { listBookedPayouts } from './list-booked-payouts.ts';
import { listPayouts, type PayoutView } from './list-payouts.ts';
import {
  beginOnboarding,
  findPayoutAccount,
  followAccount,
  openPayoutDashboard,
} from './payout-account.ts';
import { readMoney } from './read-money.ts';
import { cancelPayout, requestPayout } from './request-payout.ts';

declare module '../../edge/graphql/builder.ts' {
  interface SharedContext {
    payouts: PayoutContext;
  }
}

const Release = builder.simpleObject('Release', {
  description: 'What becomes available on one UTC day.',
  fields: (t) => ({
    availableOn: t.field({ type: 'DateTime', description: 'When all of it is available.' }),
    amount: t.float({ description: 'Cents.' }),
    sales: t.int({ description: 'How many sales it comes from.' }),
  }),
});

const PayoutAccount = builder.simpleObject('PayoutAccount', {
  fields: (t) => ({
    state: t.string({ description: "'none', 'incomplete' or 'ready'." }),
    bankAccount: t.string({ nullable: true, description: 'As its owner knows it.' }),
    missing: t.stringList({ description: 'What the payment provider still asks for, in words.' }),
  }),
});

const Money = builder.simpleObject('Money', {
  description: "A creator's balance, with the reason for every cent that is not available.",
  fields: (t) => ({
    balance: t.float({ description: 'Cents owed to the creator; negative when the creator owes.' }),
    available: t.float({ description: 'Cents that may be paid out.' }),
    pending: t.float({ description: 'Cents: the releases, and what is reserved.' }),
    reserved: t.float({
      description: 'Cents reserved for refunds under way, inquiries and undecided disputes.',
    }),
    inTransit: t.float({
      description:
        'Cents that payouts under way will bring: neither paid nor in the balance again.',
    }),
    releases: t.field({ type: [Release], description: 'By day, the earliest first.' }),
    account: t.field({ type: PayoutAccount, description: 'The account that payouts go to.' }),
    obstacle: t.string({
      nullable: true,
      description: 'Why no payout can be asked for now, in a sentence; null when one can.',
    }),
    obstacleFact: t.field({ type: 'Fact', nullable: true }),
    heldUntil: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'Until when payouts wait after a change of email address, password or payout account.',
    }),
  }),
});

const Payout = builder.simpleObject('Payout', {
  fields: (t) => ({
    id: t.id(),
    amount: t.float({ description: 'Cents: what the balance is less.' }),
    cost: t.int({ description: 'Cents: what of it the payout costs.' }),
    arrives: t.float({ description: 'Cents: the amount less the cost.' }),
    state: t.string({
      description:
        "'requested', 'sent' (to the bank), 'paid', 'failed' (at the bank, and tried again) or " +
        "'reversed' (back in the balance).",
    }),
    note: t.string({
      nullable: true,
      description: 'What it waits for, or why it failed, in a sentence.',
    }),
    noteFact: t.field({ type: 'Fact', nullable: true }),
    bankAccount: t.string({ nullable: true }),
    requestedAt: t.field({ type: 'DateTime' }),
    changedAt: t.field({ type: 'DateTime' }),
  }),
});

const PayoutConnection = builder.simpleObject('PayoutConnection', {
  fields: (t) => ({
    items: t.field({ type: [Payout] }),
    nextToken: t.string({ nullable: true }),
  }),
});

const BookedPayout = builder.simpleObject('BookedPayout', {
  description: 'A payout that the operator made by hand.',
  fields: (t) => ({
    id: t.id(),
    amount: t.float({ description: 'Cents; negative for one that came back.' }),
    reference: t.string({ description: "The bank's or the operator's name for it." }),
    bookedAt: t.field({ type: 'DateTime' }),
  }),
});

builder.queryField('getMoney', (t) =>
  t.field({
    type: Money,
    nullable: true,
    description: "The signed-in creator's money: what may be paid out now, and what when.",
    args: {
      refresh: t.arg.boolean({
        description: 'Asks the payment provider about the payout account first.',
      }),
    },
    resolve: async (_root, { refresh }, context) => {
      const id = requireReaderOfMoney(context);
      if (refresh) await refreshAccount(context, id);
      const money = await readMoney(context.payouts, id);
      const { balanceCents, availableCents, pendingCents, reservedCents, inTransitCents, ...rest } =
        money;
      return {
        ...rest,
        balance: balanceCents,
        available: availableCents,
        pending: pendingCents,
        reserved: reservedCents,
        inTransit: inTransitCents,
        releases: money.releases.map(({ availableOn, amountCents, sales }) => ({
          availableOn: isoTime(availableOn),
          amount: amountCents,
          sales,
        })),
        heldUntil: money.heldUntil === null ? null : isoTime(money.heldUntil),
      };
    },
  }),
);

/** What was known before is shown where the provider cannot be asked. */
async function refreshAccount(context: GraphqlContext, ownerId: string): Promise<void> {
  const { payouts, db, mode } = context;
  await context.limits.take('writes', ownerId);
  const account = await findPayoutAccount(db, ownerId, mode);
  if (account) await followAccount(payouts, account.account_id).catch(() => undefined);
}

builder.queryField('listPayouts', (t) =>
  t.field({
    type: PayoutConnection,
    nullable: true,
    description: "The signed-in creator's payouts through the payment provider, newest first.",
    args: { nextToken: t.arg.string() },
    resolve: async (_root, { nextToken: after = null }, context) => {
      const id = requireReaderOfMoney(context);
      const { payouts, nextToken } = await listPayouts(context.db, id, context.mode, after);
      return { items: payouts.map(presentPayout), nextToken };
    },
  }),
);

builder.queryField('listBookedPayouts', (t) =>
  t.field({
    type: [BookedPayout],
    nullable: true,
    description: 'The last payouts that the operator made by hand, newest first.',
    resolve: async (_root, _args, context) => {
      const id = requireReaderOfMoney(context);
      const booked = await listBookedPayouts(context.db, { ownerId: id, mode: context.mode });
      return booked.map(({ amountCents, bookedAt, ...payout }) => ({
        ...payout,
        amount: amountCents,
        bookedAt: isoTime(bookedAt),
      }));
    },
  }),
);

function presentPayout({ amountCents, costCents, arrivesCents, ...payout }: PayoutView) {
  return {
    ...payout,
    amount: amountCents,
    cost: costCents,
    arrives: arrivesCents,
    requestedAt: isoTime(payout.requestedAt),
    changedAt: isoTime(payout.changedAt),
  };
}

const RequestPayoutInput = builder.inputType('RequestPayoutInput', {
  fields: (t) => ({
    amount: t.int({ description: 'Cents; all that is available unless given.' }),
  }),
});

builder.mutationField('requestPayout', (t) =>
  t.field({
    type: Payout,
    description: 'Asks for a payout. Requires a sign-in within the last ten minutes.',
    args: { input: t.arg({ type: RequestPayoutInput }) },
    resolve: async (_root, { input }, context) => {
      const { id: ownerId, signedInAt } = await requireWriter(context);
      const request = { ownerId, signedInAt, amountCents: input?.amount };
      return presentPayout(await requestPayout(context.payouts, request));
    },
  }),
);

builder.mutationField('cancelPayout', (t) =>
  t.boolean({
    description:
      'Takes a payout back into the balance that the provider was not yet asked to send.',
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id: payoutId }, context) => {
      const { id: ownerId } = await requireWriter(context);
      await cancelPayout(context.payouts, { ownerId, payoutId });
      return true;
    },
  }),
);

const MONEY_PAGE = '/dashboard/money';

builder.mutationField('beginPayoutOnboarding', (t) =>
  t.field({
    type: 'URL',
    description:
      'Where the payment provider asks for what it has to know before it pays: good for one ' +
      `visit, which leads back to ${MONEY_PAGE}. Requires a sign-in within the last day.`,
    args: {
      country: t.arg.string({
        description: "Of the bank account, as ISO 3166 writes it ('US'): needed once.",
      }),
    },
    resolve: async (_root, { country }, context) => {
      const { id: ownerId, email, firstName } = await requireFreshWriter(context);
      const known = country != null && Object.hasOwn(PAYOUT_COUNTRIES, country);
      if (country != null && !known) {
        throw new DomainError('INVALID_INPUT', 'Choose a country from the list.');
      }
      const page = `${context.publicUrl}${MONEY_PAGE}`;
      return beginOnboarding(context.payouts, {
        ownerId,
        email,
        name: firstName,
        country: country ?? 'US',
        returnUrl: `${page}?account=returned`,
        refreshUrl: `${page}?account=expired`,
      });
    },
  }),
);

builder.mutationField('openPayoutDashboard', (t) =>
  t.field({
    type: 'URL',
    description:
      'Where the payment provider shows the payout account: good for one visit. Requires a sign-in ' +
      'within the last day.',
    resolve: async (_root, _args, context) => {
      const { id } = await requireFreshWriter(context);
      return openPayoutDashboard(context.payouts, id);
    },
  }),
);

/** Whose money it is. @throws DomainError UNAUTHORIZED, SCOPE_MISSING */
function requireReaderOfMoney({ viewer }: GraphqlContext): string {
  return requireScope(viewer, 'read', 'Unauthorized: Sign in to see your money.');
}

/** @throws DomainError UNAUTHORIZED, RATE_LIMITED in a flood */
async function requireWriter(context: GraphqlContext): Promise<User> {
  const user = requireUser(context);
  await context.limits.take('writes', user.id);
  return user;
}

/**
 * Where payouts go outlasts a session that was found or stolen.
 * @throws DomainError UNAUTHORIZED, RATE_LIMITED, SESSION_NOT_FRESH
 */
async function requireFreshWriter(context: GraphqlContext): Promise<User> {
  const user = await requireWriter(context);
  requireFreshSignIn(user, context.now());
  return user;
}
