import { builder, type GraphqlContext, unauthorized } from '../../edge/graphql/builder.ts';
import { streamChanges } from '../../edge/graphql/stream-changes.ts';
import { readOnce } from '../../ground/lib/batch-reads.ts';
import { DAY_MS, isoTime } from '../../ground/lib/time.ts';
import { findBalance } from './balance.ts';

const UserBalance = builder.simpleObject('UserBalance', {
  fields: (t) => ({
    id: t.id(),
    owner: t.string(),
    balance: t.float({ description: 'Cents owed to the creator.' }),
    pending: t.float({
      description:
        'Cents not yet available: of sales younger than the hold (7 days unless set otherwise) or ' +
        'not yet available at the payment provider, or reserved while a refund, an inquiry or a ' +
        'dispute may still take them back.',
    }),
    available: t.float({ description: 'Cents available for a payout.' }),
    createdAt: t.string(),
    updatedAt: t.string(),
  }),
});

builder.queryField('getUserBalance', (t) =>
  t.field({
    type: UserBalance,
    nullable: true,
    description: 'The balance of the signed-in owner. Null when nothing has ever been booked.',
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, context) => {
      requireSelf(context, id);
      return readBalance(context, id);
    },
  }),
);

builder.subscriptionField('onUpdateUserBalance', (t) =>
  t.field({
    type: UserBalance,
    nullable: true,
    description: 'The balance of the signed-in owner, each time something is booked.',
    args: { id: t.arg.id({ required: true }) },
    subscribe: (_root, { id }, context) => {
      requireSelf(context, id);
      return streamChanges(context.changes, {
        isWanted: ({ kind, ...change }) =>
          (kind === 'balance-changed' || kind === 'session-ended') && change.id === id,
        async read(change) {
          requireSelf({ viewer: await context.findViewer(change) }, id);
          // Another session's end is nothing to tell; this one's has just ended the stream.
          if (change.kind === 'session-ended') return null;
          return readOnce(change, `balance ${id}`, () => readBalance(context, id));
        },
      });
    },
    resolve: (balance) => balance,
  }),
);

function requireSelf({ viewer }: Pick<GraphqlContext, 'viewer'>, id: string): void {
  if (viewer.user?.id !== id) throw unauthorized('A balance is shown only to its owner.');
}

async function readBalance({ db, mode, now, payouts }: GraphqlContext, id: string) {
  const holdMs = payouts.terms.holdDays * DAY_MS;
  const balance = await findBalance(db, { ownerId: id, mode, holdMs }, now());
  if (!balance) return null;
  return {
    id,
    owner: id,
    balance: balance.balanceCents,
    pending: balance.pendingCents,
    available: balance.availableCents,
    createdAt: isoTime(balance.createdAt),
    updatedAt: isoTime(balance.updatedAt),
  };
}
