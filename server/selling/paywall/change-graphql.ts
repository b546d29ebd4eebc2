import { MAX_PARTS, MIN_PARTS } from '../../../contract/limits.ts';
import { PREVIEWS } from '../../../contract/link-rules.ts';
import { createLink } from '../../catalog/links/create-link.ts';
import { deleteLink } from '../../catalog/links/delete-link.ts';
import { updateLink } from '../../catalog/links/update-link.ts';
import { listDeletedLinks } from '../../catalog/listing/list-deleted-links.ts';
import { builder, type GraphqlContext, unauthorized } from '../../edge/graphql/builder.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { requireScope } from '../../ground/lib/viewer.ts';
import { LinkConnection } from './list-graphql.ts';
import { PaywallLink, PresentedLink } from './present-link.ts';
import { requireAuthor } from './require-author.ts';

const PREVIEW = `One of ${PREVIEWS.join(', ')}; it has to fit the first file.`;

const STAMP =
  'Whether each page of its PDFs shows who bought it: their email address and order number.';

const CreateInput = builder.inputType('CreatePaywallLinkInput', {
  fields: (t) => ({
    id: t.id(),
    type: t.string({ required: true }),
    key: t.string(),
    url: t.field({ type: 'URL' }),
    unlocked: t.boolean(),
    price: t.int({ required: true, description: 'Cents.' }),
    least: t.int({
      description: 'Cents: buyers name the price, from this on; 0 lets them pay nothing.',
    }),
    owner: t.string(),
    title: t.string(),
    description: t.string({ description: 'Plain text; line breaks are kept.' }),
    copies: t.int({ description: 'How many are sold; 0 for any number.' }),
    until: t.string({ description: "When its sale ends, ISO 8601; '' for never." }),
    noindex: t.boolean(),
    unlisted: t.boolean(),
    preview: t.string({ description: PREVIEW }),
    stamp: t.boolean({ description: STAMP }),
    files: t.stringList({ description: 'Keys of several uploads; key is the first of them.' }),
    parts: t.idList({ description: `Of a bundle: ${MIN_PARTS} to ${MAX_PARTS} links of yours.` }),
  }),
});

const UpdateInput = builder.inputType('UpdatePaywallLinkInput', {
  fields: (t) => ({
    id: t.id({ required: true }),
    key: t.string(),
    url: t.field({ type: 'URL' }),
    unlocked: t.boolean(),
    price: t.int({ description: 'Cents.' }),
    least: t.int({ description: 'As when it is created; -1 makes the price fixed.' }),
    title: t.string(),
    description: t.string({ description: "'' removes it." }),
    copies: t.int({ description: 'How many are sold; 0 for any number.' }),
    until: t.string({ description: "When its sale ends, ISO 8601; '' for never." }),
    noindex: t.boolean(),
    unlisted: t.boolean(),
    preview: t.string({ description: PREVIEW }),
    stamp: t.boolean({ description: STAMP }),
    paused: t.boolean(),
    short: t.string({
      description: "What its short address ends with, below that of your page; '' removes it.",
    }),
    licenses: t.string({
      description:
        "Which license keys later buyers get: 'generated', or of your own 'list'; '' for none.",
    }),
    devices: t.int({
      description: 'On how many devices a license key may be used; 0 for any number.',
    }),
    files: t.stringList(),
    parts: t.idList({
      description: 'Of a bundle: what later buyers get. What was bought stays bought.',
    }),
    version: t.int({ description: 'An earlier version, whose content is put on sale again.' }),
    tellBuyers: t.boolean({
      description: 'Emails the buyers who asked for it that there is a new version.',
    }),
  }),
});

const DeleteInput = builder.inputType('DeletePaywallLinkInput', {
  fields: (t) => ({ id: t.id({ required: true }) }),
});

builder.mutationField('createPaywallLink', (t) =>
  t.field({
    type: PaywallLink,
    nullable: true,
    args: { input: t.arg({ type: CreateInput, required: true }) },
    resolve: async (_root, { input }, context) => {
      const ownerId = await ownerOf(context, input.owner);
      await context.requireSeller(ownerId);
      const link = await createLink(context, { ...input, ownerId });
      return new PresentedLink(context, context.viewer, link);
    },
  }),
);

builder.mutationField('updatePaywallLink', (t) =>
  t.field({
    type: PaywallLink,
    nullable: true,
    args: { input: t.arg({ type: UpdateInput, required: true }) },
    resolve: async (_root, { input }, context) => {
      const author = await requireAuthor(context);
      if (input.short && author.kind === 'creator') await requirePage(context, author.userId);
      const link = await updateLink(context, { ...input, author });
      return new PresentedLink(context, context.viewer, link);
    },
  }),
);

builder.mutationField('deletePaywallLink', (t) =>
  t.field({
    type: PaywallLink,
    nullable: true,
    args: { input: t.arg({ type: DeleteInput, required: true }) },
    resolve: async (_root, { input }, context) => {
      const author = await requireAuthor(context);
      const link = await deleteLink(context, { ...input, author });
      return new PresentedLink(context, context.viewer, link);
    },
  }),
);

/** @throws DomainError INVALID_SHORT_NAME */
async function requirePage({ findSeller }: GraphqlContext, ownerId: string): Promise<void> {
  const { handle } = await findSeller(ownerId);
  if (handle !== null) return;
  const words =
    'Choose the address of your own page under Account first: short ones begin with it.';
  throw new DomainError('INVALID_SHORT_NAME', words);
}

/** A link belongs to who creates it; only the operator's key names another owner. */
async function ownerOf(context: GraphqlContext, owner: string | null | undefined): Promise<string> {
  const author = await requireAuthor(context);
  if (author.kind === 'operator') {
    if (!owner) {
      const advice = 'The service key creates links on behalf of an owner: give one.';
      throw new DomainError('INVALID_INPUT', advice);
    }
    await context.requireAccount(owner);
    return owner;
  }
  if (owner && owner !== author.userId)
    throw unauthorized('You can only create links that you own.');
  return author.userId;
}

builder.queryField('listDeletedPaywallLinks', (t) =>
  t.field({
    type: LinkConnection,
    nullable: true,
    description:
      "The creator's own deleted links, most recently deleted first. What they sold stays in the " +
      'books, and their buyers keep it.',
    args: { limit: t.arg.int(), nextToken: t.arg.string() },
    resolve: async (_root, page, context) => {
      const { viewer, db } = context;
      const advice = 'Unauthorized: Sign in to see your deleted links.';
      const ownerId = viewer.creatorId ?? requireScope(viewer, 'read', advice);
      const { links, nextToken } = await listDeletedLinks(db, ownerId, page);
      return {
        items: links.map((link) => new PresentedLink(context, viewer, link)),
        nextToken,
      };
    },
  }),
);
