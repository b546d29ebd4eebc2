import { findOwnLink, type LinkAuthor } from '../../catalog/links/queries.ts';
import type { Link } from '../../catalog/links/tables.ts';
import { builder, type GraphqlContext } from '../../edge/graphql/builder.ts';
import { requireScope } from '../../ground/lib/viewer.ts';
import { PaywallLink } from '../paywall/present-link.ts';
import { requireAuthor } from '../paywall/require-author.ts';
import { addLicenseKeys } from './add-keys.ts';
import { clearActivations } from './clear-activations.ts';
import { countLicenseKeys, listLicenseKeys } from './list-keys.ts';
import { removeLicenseKeys } from './remove-keys.ts';

const BoughtKey = builder.simpleObject('BoughtLicenseKey', {
  description: 'A license key that came with a purchase, as its buyer sees it.',
  fields: (t) => ({
    key: t.string({
      nullable: true,
      description: "Null while it is owed: the seller's list had run out when it was paid.",
    }),
    activations: t.int({ description: 'On how many devices it is active.' }),
  }),
});

builder.objectFields(PaywallLink, (t) => ({
  licenses: t.exposeString('licenses', {
    nullable: true,
    description:
      "Which license keys its buyers get: 'generated', or of the creator's own 'list'; null for none.",
  }),
  devices: t.exposeInt('devices', {
    nullable: true,
    description: 'On how many devices a license key may be used; null for any number.',
  }),
  licenseKeys: t.field({
    type: [BoughtKey],
    description: 'Those that came with what this viewer bought, or was given.',
    resolve: async (link) => (await link.unlock())?.licenseKeys() ?? [],
  }),
}));

const LicenseKey = builder.simpleObject('LicenseKey', {
  description: 'A license key, as its creator sees it.',
  fields: (t) => ({
    id: t.id(),
    key: t.string({ nullable: true, description: 'Null where it is owed.' }),
    purchaseId: t.id({ nullable: true, description: 'Of its sale; null while it is unsold.' }),
    state: t.string({
      description:
        "'free', 'owed' (it is paid, but the list had run out), 'valid', 'suspended' (the payment is " +
        "disputed) or 'ended' (it was returned).",
    }),
    at: t.field({
      type: 'DateTime',
      description: 'When it was sold, or added while it is unsold.',
    }),
    devices: t.stringList({ description: 'That it is active on.' }),
  }),
});

const LicenseKeyList = builder.simpleObject('LicenseKeyList', {
  fields: (t) => ({
    items: t.field({ type: [LicenseKey] }),
    nextToken: t.string({ nullable: true }),
    free: t.int({ description: 'How many nobody has bought yet.' }),
    owed: t.int({ description: 'How many buyers wait for one.' }),
  }),
});

builder.queryField('listLicenseKeys', (t) =>
  t.field({
    type: LicenseKeyList,
    nullable: true,
    description: "The license keys of one of the creator's links, the last sold first.",
    args: {
      linkId: t.arg.id({ required: true }),
      free: t.arg.boolean({ description: 'Those that nobody has bought yet, in place of these.' }),
      nextToken: t.arg.string(),
    },
    resolve: async (_root, { linkId, free, nextToken: token }, context) => {
      const link = await findReadLink(context, linkId);
      const wanted = { link, free: free ?? false, token: token ?? null };
      const { items, nextToken } = await listLicenseKeys(context.db, wanted);
      const counts = await countLicenseKeys(context.db, link.id);
      return { items: items.map(({ time: at, ...key }) => ({ ...key, at })), nextToken, ...counts };
    },
  }),
);

/** @throws DomainError LINK_NOT_FOUND, UNAUTHORIZED, SCOPE_MISSING */
async function findReadLink({ db, viewer }: GraphqlContext, linkId: string): Promise<Link> {
  const author: LinkAuthor =
    viewer.authority === 'operator'
      ? { kind: 'operator' }
      : { kind: 'creator', userId: requireScope(viewer, 'read', SIGN_IN) };
  return findOwnLink(db, author, linkId, { deletedToo: true });
}

const SIGN_IN = 'Unauthorized: Sign in to see your license keys.';

builder.mutationField('addLicenseKeys', (t) =>
  t.field({
    type: 'Int',
    nullable: true,
    description:
      "Adds keys to the creator's own list of a link, which are sold in their order, each once. Answers " +
      'how many are new.',
    args: {
      linkId: t.arg.id({ required: true }),
      keys: t.arg.string({ required: true, description: 'One a line.' }),
    },
    resolve: async (_root, { linkId, keys: pasted }, context) => {
      const author = await requireAuthor(context);
      return addLicenseKeys(context, { author, linkId, pasted });
    },
  }),
);

builder.mutationField('removeLicenseKeys', (t) =>
  t.field({
    type: 'Int',
    nullable: true,
    description:
      "Takes keys off the creator's own list of a link that nobody has bought. Answers how many.",
    args: { linkId: t.arg.id({ required: true }), ids: t.arg.idList({ required: true }) },
    resolve: async (_root, { linkId, ids }, context) => {
      const author = await requireAuthor(context);
      return removeLicenseKeys(context, { author, linkId, ids });
    },
  }),
);

builder.mutationField('clearLicenseActivations', (t) =>
  t.field({
    type: 'ID',
    nullable: true,
    description: 'Frees all devices of a license key, so that it can be activated on others.',
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, context) => {
      const author = await requireAuthor(context);
      await clearActivations(context, { author, id });
      return id;
    },
  }),
);
