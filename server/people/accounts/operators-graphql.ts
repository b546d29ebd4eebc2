import { builder } from '../../edge/graphql/builder.ts';
import { requireActingOperator, requireOperator } from '../../ground/acts/operator-of.ts';
import { SUBJECT_KINDS, type SubjectKind } from '../../ground/acts/tables.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { isoTime } from '../../ground/lib/time.ts';
import { listActs } from '../operators/list-acts.ts';
import { removeOperator } from '../operators/remove-operator.ts';
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

const AccountList = builder.simpleObject('AccountList', {
  fields: (t) => ({
    items: t.field({ type: [Account] }),
    nextToken: t.string({ nullable: true }),
  }),
});

const Invitation = builder.simpleObject('Invitation', {
  fields: (t) => ({
    id: t.id(),
    email: t.string(),
    role: t.string({ description: "'seller' or 'operator'." }),
    sentAt: t.field({ type: 'DateTime' }),
    expiresAt: t.field({ type: 'DateTime' }),
  }),
});

const InvitationList = builder.simpleObject('InvitationList', {
  fields: (t) => ({
    items: t.field({ type: [Invitation] }),
    nextToken: t.string({ nullable: true }),
  }),
});

const Act = builder.simpleObject('Act', {
  description: 'What an operator did. Acts are never changed or deleted.',
  fields: (t) => ({
    id: t.id(),
    actedAt: t.field({ type: 'DateTime' }),
    actorKind: t.string({ description: "'account', 'service-key' or 'cli'." }),
    actorEmail: t.string({
      nullable: true,
      description: 'The address of the account now; null for one that was deleted.',
    }),
    act: t.string({ description: "Such as 'seller.suspended'." }),
    subjectKind: t.string({ description: `One of ${SUBJECT_KINDS.join(', ')}.` }),
    subjectId: t.string(),
    reason: t.string({ nullable: true }),
    details: t.string({ nullable: true, description: 'JSON.' }),
  }),
});

const ActList = builder.simpleObject('ActList', {
  fields: (t) => ({
    items: t.field({ type: [Act] }),
    nextToken: t.string({ nullable: true }),
  }),
});

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
    resolve: async (_root, { emailPrefix, operators, nextToken: token }, context) => {
      await requireOperator(context);
      const areOperators = operators ?? false;
      const asked = { prefix: emailPrefix ?? '', token: token ?? null, areOperators };
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
    resolve: async (_root, { nextToken: token }, context) => {
      await requireOperator(context);
      const { invitations, nextToken } = await listInvitations(context.db, token ?? null);
      return { items: invitations.map(viewInvitation), nextToken };
    },
  }),
);

builder.queryField('listActs', (t) =>
  t.field({
    type: ActList,
    description:
      'For operators: what operators did, newest first, or what was done to one subject.',
    args: {
      subjectKind: t.arg.string(),
      subjectId: t.arg.string({ description: 'Goes with subjectKind.' }),
      nextToken: t.arg.string(),
    },
    resolve: async (_root, { subjectKind, subjectId, nextToken: token }, context) => {
      await requireOperator(context);
      const subject = readSubject(subjectKind, subjectId);
      const { acts, nextToken } = await listActs(context.db, { token: token ?? null, ...subject });
      const items = acts.map((act) => ({ ...act, actedAt: isoTime(act.actedAt) }));
      return { items, nextToken };
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
      const invitation = await invite(context, actor, { email, role });
      return viewInvitation(invitation);
    },
  }),
);

builder.mutationField('revokeInvitation', (t) =>
  t.field({
    type: 'ID',
    description: 'For operators: ends an invitation. Answers its id.',
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, context) => {
      await revokeInvitation(context, await requireActingOperator(context), id);
      return id;
    },
  }),
);

builder.mutationField('suspendAccount', (t) =>
  t.field({
    type: 'ID',
    description:
      'For operators: ends its sessions and keys, takes its links off sale and holds its payouts. Its buyers keep what they bought; its owner is mailed the reason. Answers its id.',
    args: {
      id: t.arg.id({ required: true }),
      reason: t.arg.string({ required: true, description: 'A sentence for its owner.' }),
    },
    resolve: async (_root, { id: userId, reason }, context) => {
      await suspendAccount(context, await requireActingOperator(context), { userId, reason });
      return userId;
    },
  }),
);

builder.mutationField('restoreAccount', (t) =>
  t.field({
    type: 'ID',
    description: 'For operators: undoes a suspension. Answers its id.',
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, context) => {
      await restoreAccount(context, await requireActingOperator(context), id);
      return id;
    },
  }),
);

builder.mutationField('removeOperator', (t) =>
  t.field({
    type: 'ID',
    description:
      'For operators: makes another operator an ordinary account; never the last one, nor one that OPERATOR_EMAILS names. Answers its id.',
    args: {
      id: t.arg.id({ required: true }),
      reason: t.arg.string({ required: true, description: 'Kept with the act.' }),
    },
    resolve: async (_root, { id: userId, reason }, context) => {
      await removeOperator(context, await requireActingOperator(context), { userId, reason });
      return userId;
    },
  }),
);

builder.mutationField('setAccountQuota', (t) =>
  t.field({
    type: 'ID',
    description:
      'For operators: how much an account may have; what is null or left out is as the settings say. Answers its id.',
    args: {
      id: t.arg.id({ required: true }),
      bytes: t.arg.float({ description: 'Of all its files together.' }),
      links: t.arg.float(),
      uploadsADay: t.arg.float(),
    },
    resolve: async (_root, { id: userId, bytes, links, uploadsADay }, context) => {
      const quota = {
        bytes: bytes ?? null,
        links: links ?? null,
        uploadsADay: uploadsADay ?? null,
      };
      await setQuota(context, await requireActingOperator(context), { userId, ...quota });
      return userId;
    },
  }),
);

function viewInvitation({ id, email, role, sent_at, expires_at }: InvitationRow) {
  return { id, email, role, sentAt: isoTime(sent_at), expiresAt: isoTime(expires_at) };
}

/** @throws DomainError INVALID_INPUT */
function readSubject(
  kind: string | null | undefined,
  id: string | null | undefined,
): { subject?: { kind: SubjectKind; id: string } } {
  if (kind == null && id == null) return {};
  const known = SUBJECT_KINDS.find((one) => one === kind);
  if (known && id != null) return { subject: { kind: known, id } };
  throw new DomainError('INVALID_INPUT', 'Give both subjectKind and subjectId, or neither.');
}
