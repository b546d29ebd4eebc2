import { BY_ID, builder, listOf } from '../../edge/graphql/builder.ts';
import { requireActingOperator, requireOperator } from '../../ground/acts/operator-of.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { operatorMutation } from '../operators/graphql.ts';
import { invite, listInvitations, revokeInvitation } from './invitations.ts';
import { listAccounts } from './list-accounts.ts';
import { setQuota } from './set-quota.ts';
import { restoreAccount, suspendAccount } from './suspend-account.ts';
import type { Invitation as InvitationRow } from './tables.ts';

const Account = builder.simpleObject('Account', {
  description: 'An account, as operators see it.',
  fields: (t) => ({
    id: t.id(),
    email: t.string(),
    firstName: t.string(),
    isConfirmed: t.boolean({ description: 'Whether its email address is confirmed.' }),
    isOperator: t.boolean(),
    isNamedOperator: t.boolean({ description: 'By OPERATOR_EMAILS, which alone ends it.' }),
    createdAt: t.field({ type: 'DateTime' }),
    suspendedAt: t.field({ type: 'DateTime', nullable: true }),
    suspendedBecause: t.string({ nullable: true, description: 'As its owner was told.' }),
    links: t.int({ description: 'Links on sale.' }),
    usedBytes: t.float({ description: 'Of all its files, unfinished uploads included.' }),
    sales: t.int(),
    earned: t.float({
      description: 'Cents: the net of its sales, less what refunds and disputes took back.',
    }),
    quotaBytes: t.float({ nullable: true, description: 'Null where the settings hold.' }),
    quotaLinks: t.float({ nullable: true, description: 'Null where the settings hold.' }),
    quotaUploadsADay: t.float({ nullable: true, description: 'Null where the settings hold.' }),
  }),
});

const AccountList = listOf('AccountList', Account);

const Invitation = builder.simpleObject('Invitation', {
  fields: (t) => ({
    id: t.id(),
    email: t.string(),
    role: t.string({ description: "'seller' or 'operator'." }),
    sentAt: t.field({ type: 'DateTime' }),
    expiresAt: t.field({ type: 'DateTime' }),
  }),
});

const InvitationList = listOf('InvitationList', Invitation);

builder.queryField('listAccounts', (t) =>
  t.field({
    type: AccountList,
    nullable: true,
    description: 'For operators: accounts in the order of their addresses, 50 at a time.',
    args: {
      emailPrefix: t.arg.string({ description: 'How their addresses begin, or a whole one.' }),
      operators: t.arg.boolean({ description: 'Those of operators alone.' }),
      nextToken: t.arg.string(),
    },
    resolve: async (_root, { emailPrefix, operators, nextToken: token = null }, context) => {
      await requireOperator(context);
      const asked = { prefix: emailPrefix ?? '', token, areOperators: operators ?? false };
      const { accounts, nextToken } = await listAccounts(context, asked);
      const items = accounts.map(({ earnedCents: earned, ...account }) => ({ ...account, earned }));
      return { items, nextToken };
    },
  }),
);

builder.queryField('listInvitations', (t) =>
  t.field({
    type: InvitationList,
    nullable: true,
    description:
      'For operators: invitations that were neither accepted nor revoked, expired ones included, the last sent first.',
    args: { nextToken: t.arg.string() },
    resolve: async (_root, { nextToken: token = null }, context) => {
      await requireOperator(context);
      const { items, nextToken } = await listInvitations(context.db, token);
      return { items: items.map(viewInvitation), nextToken };
    },
  }),
);

builder.mutationField('inviteAccount', (t) =>
  t.field({
    type: Invitation,
    description:
      'For operators: emails an invitation that is valid for seven days, or sends one anew.',
    args: {
      email: t.arg.string({ required: true }),
      role: t.arg.string({ required: true, description: "'seller' or 'operator'." }),
    },
    resolve: async (_root, { email, role }, context) => {
      const actor = await requireActingOperator(context);
      if (role !== 'seller' && role !== 'operator') {
        throw new DomainError('INVALID_INPUT', 'role must be seller or operator.');
      }
      return viewInvitation(await invite(context, actor, { email, role }));
    },
  }),
);

const viewInvitation = ({ sent_at: sentAt, expires_at: expiresAt, ...row }: InvitationRow) => ({
  ...row,
  sentAt,
  expiresAt,
});

operatorMutation('revokeInvitation', {
  description: 'ends an invitation.',
  args: BY_ID,
  run: (context, actor, { id }) => revokeInvitation(context, actor, id),
});

operatorMutation('suspendAccount', {
  description:
    'ends its sessions and keys, takes its links off sale and holds its payouts. Its buyers keep what they bought; its owner is mailed the reason.',
  args: builder.args((t) => ({
    id: t.id({ required: true }),
    reason: t.string({ required: true, description: 'A sentence for its owner.' }),
  })),
  run: (context, actor, { id: userId, reason }) =>
    suspendAccount(context, actor, { userId, reason }),
});

operatorMutation('restoreAccount', {
  description: 'undoes a suspension.',
  args: BY_ID,
  run: (context, actor, { id }) => restoreAccount(context, actor, id),
});

operatorMutation('setAccountQuota', {
  description: 'how much an account may have; what is null or left out is as the settings say.',
  args: builder.args((t) => ({
    id: t.id({ required: true }),
    bytes: t.float({ description: 'Of all its files together.' }),
    links: t.float(),
    uploadsADay: t.float(),
  })),
  run: (context, actor, { id: userId, bytes = null, links = null, uploadsADay = null }) =>
    setQuota(context, actor, { userId, bytes, links, uploadsADay }),
});
