import { SCOPE_MEANS, SCOPES } from '../../../contract/secret-key-scopes.ts';
import { setSellerName } from '../../catalog/sellers/seller-name.ts';
import {
  BY_ID,
  builder,
  ownMutation,
  requireUser,
  requireWriter,
} from '../../edge/graphql/builder.ts';
import { requireFreshSignIn } from '../../ground/lib/viewer.ts';
import {
  createSecretKey,
  describeSecretKey,
  listSecretKeys,
  revokeSecretKey,
} from './secret-keys.ts';

const SCOPES_MEAN = SCOPES.map((scope) => `'${scope}': ${SCOPE_MEANS[scope]}`).join('; ');

const SecretKey = builder.simpleObject('SecretKey', {
  fields: (t) => ({
    id: t.id(),
    name: t.string(),
    hint: t.string({ description: 'The last characters of the key.' }),
    scopes: t.stringList({ description: `What programs can do with it. ${SCOPES_MEAN}.` }),
    createdAt: t.field({ type: 'DateTime' }),
    lastUsedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Accurate to the minute.',
    }),
  }),
});

const NewSecretKey = builder.simpleObject('NewSecretKey', {
  fields: (t) => ({
    id: t.id(),
    name: t.string(),
    hint: t.string(),
    scopes: t.stringList(),
    createdAt: t.field({ type: 'DateTime' }),
    secret: t.string({ description: 'The key itself. It is shown only this once.' }),
  }),
});

builder.queryField('listSecretKeys', (t) =>
  t.field({
    type: [SecretKey],
    description: "The signed-in creator's secret keys, newest first.",
    resolve: async (_root, _args, context) => {
      const keys = await listSecretKeys(context.db, requireUser(context).id);
      return keys.map(describeSecretKey);
    },
  }),
);

builder.mutationField('createSecretKey', (t) =>
  t.field({
    type: NewSecretKey,
    description: 'Requires a sign-in within the last day; the owner is notified by email.',
    args: {
      name: t.arg.string({ required: true }),
      scopes: t.arg.stringList({ description: `${SCOPES_MEAN}. Only 'sell' unless given.` }),
    },
    resolve: async (_root, { name, scopes }, context) => {
      const owner = await requireWriter(context);
      requireFreshSignIn(owner, context.now());
      const { key, secret } = await createSecretKey(context, {
        ownerId: owner.id,
        name,
        scopes: scopes ?? ['sell'],
      });
      const details = describeSecretKey(key);
      context.secretKeyCreated(owner, details);
      return { ...details, secret };
    },
  }),
);

ownMutation('revokeSecretKey', {
  description: 'Revokes a secret key, immediately and permanently.',
  args: BY_ID,
  run: (context, { id: ownerId }, { id }) => revokeSecretKey(context, { ownerId, id }),
});

builder.mutationField('setSellerName', (t) =>
  t.string({
    nullable: true,
    description: "The name buyers see on the signed-in creator's links; null removes it.",
    args: { name: t.arg.string() },
    resolve: async (_root, { name }, context) => {
      const { id: ownerId } = await requireWriter(context);
      return setSellerName(context.db, { ownerId, name });
    },
  }),
);
