import { PREVIEWS } from '../../../contract/link-rules.ts';
import { findLinkStatistics } from '../../books/statistics/counts.ts';
import { addressOfCover } from '../../catalog/links/cover.ts';
import { findLinkRow, type LinkReaders } from '../../catalog/links/queries.ts';
import { builder, type GraphqlContext, requireReader } from '../../edge/graphql/builder.ts';
import type { FileStore } from '../../files/file-store.ts';
import { batchByRequest } from '../../ground/lib/batch-reads.ts';
import { isoTime } from '../../ground/lib/time.ts';
import { Checkout } from './checkout-graphql.ts';
import { findVisibleLink, PaywallLink } from './present-link.ts';
import { OFFERED, selectColumns } from './select-columns.ts';

declare module '../../edge/graphql/builder.ts' {
  interface SharedContext extends LinkReaders {
    store: FileStore;
  }
}

/** How long after the end of its checkout a failed payment is spoken of. */
const FAILURE_TOLD_MS = 24 * 60 * 60 * 1000;

export const PaywallCover = builder.simpleObject('PaywallCover', {
  fields: (t) => ({
    url: t.field({ type: 'URL', description: 'A path on this site; it changes with the picture.' }),
    width: t.int({ description: 'Pixels.' }),
    height: t.int({ description: 'Pixels.' }),
  }),
});

export const LinkFace = builder.simpleObject('LinkFace', {
  description: 'What stands for a link in a list: its cover, or else what one is drawn from.',
  fields: (t) => ({
    type: t.string({ description: "'file', 'link' or 'bundle'." }),
    mediaType: t.string({
      nullable: true,
      description: 'Of its first file; null for the other types.',
    }),
    cover: t.field({ type: PaywallCover, nullable: true }),
  }),
});

const PaywallPreview = builder.simpleObject('PaywallPreview', {
  fields: (t) => ({
    url: t.field({ type: 'URL', description: 'A path on this site; it changes with the preview.' }),
    mediaType: t.string({ description: "'image/webp', 'audio/mpeg' or 'audio/wav'." }),
    width: t.int({ nullable: true, description: 'Pixels; null for a recording.' }),
    height: t.int({ nullable: true, description: 'Pixels; null for a recording.' }),
  }),
});

builder.objectType(PaywallLink, {
  fields: (t) => ({
    id: t.exposeID('id'),
    type: t.exposeString('type', { description: "'file', 'link' or 'bundle'." }),
    price: t.exposeInt('price', {
      description: 'Cents; what is suggested, where buyers name the price.',
    }),
    least: t.exposeInt('least', {
      nullable: true,
      description: 'Cents: the minimum price that a buyer may name; null where it is fixed.',
    }),
    owner: t.exposeString('owner'),
    title: t.exposeString('title', { nullable: true }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'Plain text; line breaks are kept.',
    }),
    seller: t.string({
      nullable: true,
      description: 'The name the owner sells under; null when there is none.',
      resolve: async (link) => (await link.findSeller()).name,
    }),
    sellerHandle: t.string({
      nullable: true,
      description: "Of the owner's own page, /s/{handle}; null when there is none.",
      resolve: async (link) => (await link.findSeller()).handle,
    }),
    sellerPicture: t.field({
      type: PaywallCover,
      nullable: true,
      description: "The picture on the owner's own page; null without a page or a picture.",
      resolve: async (link) => {
        const { picture } = await link.findSeller();
        return picture && { ...picture, url: addressOfCover(picture.blob) };
      },
    }),
    short: t.string({
      nullable: true,
      description: 'Its short address, such as /s/ada/notes; null when it has none.',
      resolve: async (link) => {
        const handle = link.shortName && (await link.findSeller()).handle;
        return handle ? `/s/${handle}/${link.shortName}` : null;
      },
    }),
    cover: t.expose('cover', { type: PaywallCover, nullable: true }),
    preview: t.exposeString('preview', {
      description: `What the creator lets everybody see or hear of the first file: one of ${PREVIEWS.join(', ')}.`,
    }),
    previewFile: t.expose('previewFile', {
      type: PaywallPreview,
      nullable: true,
      description: 'Null until the preview is made, and where there is none.',
    }),
    previewFailed: t.exposeBoolean('previewFailed', {
      description: 'True for the owner if no preview can be made of the file that is on sale.',
    }),
    stamp: t.exposeBoolean('stamp', {
      description:
        'True when each page of its PDFs shows who bought it: their email address and order number.',
    }),
    stampFailed: t.boolean({
      description:
        'True for the owner if a PDF on sale cannot be stamped: buyers get it as it was uploaded.',
      resolve: (link) => link.mine && link.stampFails,
    }),
    noindex: t.exposeBoolean('noindex', {
      description: 'True when the creator asked search engines not to index the page.',
    }),
    unlisted: t.exposeBoolean('unlisted', {
      description:
        'True when the creator keeps the link out of every list and search engine: only people who ' +
        'have its address can find it.',
    }),
    paused: t.exposeBoolean('paused'),
    free: t.exposeBoolean('free', {
      description: 'True when the creator made the link free: `unlocked: true` in its input.',
    }),
    createdAt: t.field({ type: 'DateTime', resolve: (link) => isoTime(link.createdAt) }),
    updatedAt: t.field({ type: 'DateTime', resolve: (link) => isoTime(link.updatedAt) }),
    deletedAt: t.field({
      type: 'DateTime',
      nullable: true,
      resolve: (link) => (link.deletedAt === null ? null : isoTime(link.deletedAt)),
    }),
  }),
});

/** What it is to this viewer. */
builder.objectFields(PaywallLink, (t) => ({
  unlocked: t.boolean({
    description:
      'True for everybody where the creator made the link free, and for a viewer with a grant. ' +
      'False to the owner of any other link, who has its content all the same.',
    resolve: (link) => link.isUnlocked(),
  }),
  suspended: t.boolean({
    description: 'True while access is on hold for this viewer because the payment is disputed.',
    resolve: (link) => link.isSuspended(),
  }),
  checkout: t.field({
    type: Checkout,
    nullable: true,
    description:
      "This viewer's last checkout of a locked link, while its payment is under way ('processing') " +
      "or until a day after the end of a checkout whose payment failed ('failed'); null otherwise.",
    resolve: async (link, _args, { now }) => {
      const last = (await link.unlock()) ? undefined : await link.findLastCheckout();
      if (!last?.session_id || !['processing', 'failed'].includes(last.state)) return null;
      if (last.state === 'failed' && now() > last.expires_at + FAILURE_TOLD_MS) return null;
      const { session_id: sessionId, state, price_cents: price, buyer_email: email } = last;
      return { sessionId, state, mine: true, price, email, link, lines: [] };
    },
  }),
  mine: t.exposeBoolean('mine', { description: 'True when the viewer is the owner.' }),
  statistics: t.field({
    type: LinkStatistics,
    nullable: true,
    description: 'Null unless the viewer is the owner.',
    resolve: async (link, _args, context) =>
      link.mine ? ((await readStatistics(context, link.id)) ?? NOTHING) : null,
  }),
}));

builder.queryField('getPaywallLink', (t) =>
  t.field({
    type: PaywallLink,
    nullable: true,
    description: 'One link, resolved for this viewer. Null when it does not exist.',
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, context, info) => {
      requireReader(context);
      const link = await findLinkRow(context.db, id, selectColumns(info, OFFERED));
      return findVisibleLink(context, context.viewer, link);
    },
  }),
);

const LinkStatistics = builder.simpleObject('LinkStatistics', {
  description: 'What has happened to a link so far.',
  fields: (t) => ({
    views: t.int({
      description:
        "Visits to the paywall page, not counting its owner's; each visitor counts once in half an hour.",
    }),
    checkouts: t.int(),
    sales: t.int(),
    refunds: t.int({ description: 'Refunds made, including partial ones.' }),
  }),
});

const NOTHING = { views: 0, checkouts: 0, sales: 0, refunds: 0 };

const readStatistics = batchByRequest(({ db }: GraphqlContext, ids) => findLinkStatistics(db, ids));
