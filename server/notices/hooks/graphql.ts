import { putIntoEnglish, readFact } from '../../../contract/fact.ts';
import {
  BY_ID,
  builder,
  type GraphqlContext,
  listOf,
  ownMutation,
  requireUser,
  requireWriter,
} from '../../edge/graphql/builder.ts';
import { operatorOf, requireActingOperator } from '../../ground/acts/operator-of.ts';
import { requireFreshSignIn } from '../../ground/lib/viewer.ts';
import { deleteHook, resendMessage, rotateSecret, setHookPaused } from './change-hook.ts';
import { createHook } from './create-hook.ts';
import { type HookOwner, listHooks, listMessages, type TriedMessage } from './own-hooks.ts';
import type { Hook } from './tables.ts';

declare module '../../edge/graphql/builder.ts' {
  interface SharedContext {
    /** Of webhooks: the secret of each, and whether they may be spoken to without TLS. */
    hooks: { secretOf(hook: Pick<Hook, 'id' | 'generation'>): string; allowPrivate: boolean };
  }
}

const Webhook = builder.simpleObject('Webhook', {
  description: 'An address that is told of events.',
  fields: (t) => ({
    id: t.id(),
    url: t.string(),
    allSellers: t.boolean({ description: 'Whether it is told what happens to all sellers.' }),
    state: t.string({
      description: "'on', 'paused' or 'ended' (by itself, after three days of failures).",
    }),
    createdAt: t.field({ type: 'DateTime' }),
    failingSince: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it failed first; null after a success.',
    }),
    earlierSecretUntil: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Until when messages are signed with the secret before as well.',
    }),
  }),
});

const NewWebhook = builder.simpleObject('NewWebhook', {
  fields: (t) => ({
    webhook: t.field({ type: Webhook }),
    secret: t.string({ description: 'What verifies its messages. It is shown only this once.' }),
  }),
});

const WebhookAttempt = builder.simpleObject('WebhookAttempt', {
  fields: (t) => ({
    at: t.field({ type: 'DateTime' }),
    ms: t.int({ description: 'How many milliseconds it took.' }),
    status: t.int({ nullable: true, description: 'Null where nothing was answered.' }),
    answer: t.string({ description: 'The first KiB of what was answered, or why nothing was.' }),
    answerFact: t.field({
      type: 'Fact',
      nullable: true,
      description: 'Null where something was answered.',
    }),
  }),
});

const WebhookEvent = builder.simpleObject('WebhookEvent', {
  description: 'What a webhook was told, or is to be told.',
  fields: (t) => ({
    id: t.id({ description: 'Sent as `webhook-id`, the same at each attempt.' }),
    type: t.string(),
    body: t.string({ description: 'JSON, as it is sent.' }),
    state: t.string({ description: "'waiting', 'delivered' or 'given_up'." }),
    createdAt: t.field({ type: 'DateTime' }),
    attempts: t.field({
      type: [WebhookAttempt],
      description: 'The last five, the last one first.',
    }),
  }),
});

const WebhookEvents = listOf('WebhookEvents', WebhookEvent);

const Webhooks = builder.simpleObject('Webhooks', {
  fields: (t) => ({
    items: t.field({ type: [Webhook], description: 'Newest first.' }),
    mayHearAll: t.boolean({
      description: 'Whether the account may have webhooks that are told of all sellers.',
    }),
  }),
});

builder.queryField('listWebhooks', (t) =>
  t.field({
    type: Webhooks,
    nullable: true,
    description: "The signed-in account's webhooks.",
    resolve: async (_root, _args, context) => {
      const owner = await ownerOf(context);
      const hooks = await listHooks(context.db, owner);
      const items = hooks.map((hook) => present(hook, context.now()));
      return { items, mayHearAll: owner.isOperator };
    },
  }),
);

builder.queryField('listWebhookEvents', (t) =>
  t.field({
    type: WebhookEvents,
    nullable: true,
    description: 'What a webhook was told in the last 30 days, newest first.',
    args: { webhook: t.arg.id({ required: true }), nextToken: t.arg.string() },
    resolve: async (_root, { webhook: hookId, nextToken: token = null }, context) => {
      const list = await listMessages(context.db, await ownerOf(context), { hookId, token });
      return { items: list.messages.map(presentMessage), nextToken: list.nextToken };
    },
  }),
);

builder.mutationField('createWebhook', (t) =>
  t.field({
    type: NewWebhook,
    description:
      'Requires a sign-in within the last day. `allSellers` is for operators: it is told what happens to all sellers.',
    args: { url: t.arg.string({ required: true }), allSellers: t.arg.boolean() },
    resolve: async (_root, args, context) => {
      const { db, now, hooks } = context;
      const owner = await requireWriter(context);
      const allSellers = args.allSellers ?? false;
      if (allSellers) await requireActingOperator(context);
      requireFreshSignIn(owner, now());
      const asked = { ownerId: owner.id, url: args.url, allSellers };
      const hook = await createHook({ db, now, allowPrivate: hooks.allowPrivate }, asked);
      return presentNew(hook, context);
    },
  }),
);

builder.mutationField('rotateWebhookSecret', (t) =>
  t.field({
    type: NewWebhook,
    description:
      'Gives a webhook another secret; the one before is valid for another day. Requires a sign-in within the last day.',
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, context) => {
      const user = await requireWriter(context);
      const owner = await ownerOf(context);
      requireFreshSignIn(user, context.now());
      return presentNew(await rotateSecret(context, owner, id), context);
    },
  }),
);

ownMutation('setWebhookPaused', {
  description: 'Pauses a webhook, or turns a paused or ended one on again.',
  args: builder.args((t) => ({
    id: t.id({ required: true }),
    paused: t.boolean({ required: true }),
  })),
  run: async (context, _user, change) => setHookPaused(context, await ownerOf(context), change),
});

ownMutation('deleteWebhook', {
  description: 'Deletes a webhook and what it was told.',
  args: BY_ID,
  run: async (context, _user, { id }) => deleteHook(context.db, await ownerOf(context), id),
});

ownMutation('resendWebhookEvent', {
  description: 'Sends an event to its webhook again, with the same id.',
  args: builder.args((t) => ({ webhook: t.id({ required: true }), id: t.id({ required: true }) })),
  run: async (context, _user, { webhook: hookId, id }) =>
    resendMessage(context, await ownerOf(context), { hookId, id }),
});

async function ownerOf(context: GraphqlContext): Promise<HookOwner> {
  const { id: ownerId } = requireUser(context);
  return { ownerId, isOperator: (await operatorOf(context, context.viewer)) !== null };
}

const presentNew = (hook: Hook, { hooks, now }: GraphqlContext) => ({
  webhook: present(hook, now()),
  secret: hooks.secretOf(hook),
});

const present = (hook: Hook, now: number) => ({
  ...hook,
  allSellers: hook.all_sellers === 1,
  createdAt: hook.created_at,
  failingSince: hook.failing_since,
  earlierSecretUntil: hook.earlier_until > now ? hook.earlier_until : null,
});

const presentMessage = ({ tries, ...message }: TriedMessage) => ({
  ...message,
  createdAt: message.created_at,
  attempts: tries.map(({ began_at: at, ms, status, answer }) => ({
    at,
    ms,
    status,
    answer: status === null ? putIntoEnglish(readFact(answer)) : answer,
    answerFact: status === null ? readFact(answer) : null,
  })),
});
