import { describeContents } from '../../../contract/describe-contents.ts';
import { type Fact, fact, putIntoEnglish } from '../../../contract/fact.ts';
import { PREVIEWS } from '../../../contract/link-rules.ts';
import { findLinkStatistics } from '../../books/statistics/counts.ts';
import type { LinkStatistics as Kept } from '../../books/statistics/tables.ts';
import { findLinkRow, type LinkReaders } from '../../catalog/links/queries.ts';
import { builder, type GraphqlContext, requireReader } from '../../edge/graphql/builder.ts';
import { showFacts } from '../../files/file-facts.ts';
import type { FileStore } from '../../files/file-store.ts';
import type { StoredFile } from '../../files/tables.ts';
import { batchReads } from '../../ground/lib/batch-reads.ts';
import { isoTime } from '../../ground/lib/time.ts';
import { Checkout } from './checkout-graphql.ts';
import { findVisibleLink, PaywallLink, type PresentedLink } from './present-link.ts';
import { OFFERED, selectColumns } from './select-columns.ts';

declare module '../../edge/graphql/builder.ts' {
  interface SharedContext extends LinkReaders {
    store: FileStore;
  }
}

/** How long after the end of its checkout a failed payment is spoken of. */
const FAILURE_TOLD_MS = 24 * 60 * 60 * 1000;

export const PaywallFile = builder.simpleObject('PaywallFile', {
  fields: (t) => ({
    key: t.string(),
    name: t.string({
      description: 'With the folders that it lies in: track1/mix.txt.',
    }),
    size: t.float({ description: 'Bytes.' }),
    mediaType: t.string(),
    sha256: t.string({
      nullable: true,
      description: 'Of the bytes, in hexadecimal; null until it is known.',
    }),
  }),
});

const ContentFacts = builder.simpleObject('ContentFacts', {
  description: 'What anybody may know of a file: neither its name nor its content.',
  fields: (t) => ({
    mediaType: t.string({ description: 'As its first bytes tell it.' }),
    size: t.float({ description: 'Bytes.' }),
    pages: t.int({ nullable: true, description: 'Of a PDF document.' }),
    width: t.int({ nullable: true, description: 'Pixels, of a picture or a video.' }),
    height: t.int({ nullable: true }),
    seconds: t.float({ nullable: true, description: 'How long audio or video lasts.' }),
  }),
});

export const showFile = (file: StoredFile) => ({
  key: file.key,
  name: file.name,
  size: file.size_bytes,
  mediaType: file.media_type,
  sha256: file.sha256,
});

export const PaywallCover = builder.simpleObject('PaywallCover', {
  fields: (t) => ({
    url: t.field({ type: 'URL', description: 'A path on this site; it changes with the picture.' }),
    width: t.int({ description: 'Pixels.' }),
    height: t.int({ description: 'Pixels.' }),
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
    key: t.string({
      nullable: true,
      description: 'Storage key of the first file. Null unless this viewer may have the content.',
      resolve: async (link) => (await link.unlock())?.key(),
    }),
    url: t.field({
      type: 'URL',
      nullable: true,
      description:
        'Null unless this viewer may have the content. Of a bundle its own page, which leads to its parts.',
      resolve: async (link, _args, { publicUrl }) => {
        const content = await link.unlock();
        return content && link.isBundle ? `${publicUrl}/p/${link.id}` : content?.url();
      },
    }),
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
    price: t.exposeInt('price', {
      description: 'Cents; what is suggested, where buyers name the price.',
    }),
    least: t.exposeInt('least', {
      nullable: true,
      description: 'Cents: the smallest price that a buyer may name; null where it is fixed.',
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
    noindex: t.exposeBoolean('noindex', {
      description: 'True when the creator asked search engines not to index the page.',
    }),
    unlisted: t.exposeBoolean('unlisted', {
      description:
        'True when the creator keeps the link out of every list and search engine: only people who ' +
        'have its address can find it.',
    }),
    paused: t.exposeBoolean('paused'),
    pending: t.boolean({
      description:
        'True while a file on sale is still being checked: it can be neither bought nor downloaded yet.',
      resolve: (link) => link.isPending(),
    }),
    free: t.exposeBoolean('free', {
      description: 'True when the creator made the link free: `unlocked: true` in its input.',
    }),
    size: t.exposeFloat('size', {
      nullable: true,
      description: "Total bytes of all files on sale; null unless the type is 'file'.",
    }),
    mediaType: t.exposeString('mediaType', {
      nullable: true,
      description: "Media type of the first file on sale; null unless the type is 'file'.",
    }),
    fileCount: t.int({
      description: "How many files are on sale, of a bundle in all parts; 0 for type 'link'.",
      resolve: async (link) => (await link.findFilesOnSale()).length,
    }),
    files: t.field({
      type: [PaywallFile],
      nullable: true,
      description:
        'What this viewer gets: buyers, the files they bought; others, the files now on sale. Null unless ' +
        'this viewer may have the content.',
      resolve: async (link) => {
        const files = await (await link.unlock())?.files();
        return files?.map(showFile);
      },
    }),
    contents: t.field({
      type: [ContentFacts],
      description:
        'What is known of each file: of those on sale or, for a buyer, of those that were bought. ' +
        "Empty for type 'link'. What could not be read from a file is null.",
      resolve: async (link) => {
        const files = await link.listContents();
        return files.map(showFacts);
      },
    }),
    summary: t.stringList({
      description:
        'The same in words: "PDF document, 2.4 MB, 24 pages"; of several files their number and ' +
        'size, and then what each kind amounts to. Of a bundle, before that, the number of its parts.',
      resolve: async (link) => (await summarize(link)).map(putIntoEnglish),
    }),
    summaryFacts: t.field({ type: ['Fact'], resolve: summarize }),
    parts: t.field({
      type: [PaywallLink],
      nullable: true,
      description:
        'The links in a bundle: those on sale or, for a buyer, those that were bought. Null unless the ' +
        "type is 'bundle'.",
      resolve: (link) => link.findParts(),
    }),
    mine: t.exposeBoolean('mine', { description: 'True when the viewer is the owner.' }),
    fault: t.string({
      nullable: true,
      description:
        'Why the files on sale are neither sold nor delivered, in a sentence. Null when they are ' +
        'intact, and unless the viewer is the owner.',
      resolve: async (link) => {
        const fault = await link.findFault();
        return fault && putIntoEnglish(fault);
      },
    }),
    faultFact: t.field({ type: 'Fact', nullable: true, resolve: (link) => link.findFault() }),
    statistics: t.field({
      type: LinkStatistics,
      nullable: true,
      description: 'Null unless the viewer is the owner.',
      resolve: (link, _args, context) => (link.mine ? readLinkStatistics(context, link.id) : null),
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

async function summarize(link: PresentedLink): Promise<Fact[]> {
  const files = (await link.listContents()).map(showFacts);
  const parts = await link.findParts();
  if (!parts) return describeContents(files);
  const bundle = fact('Bundle of {count}', { count: parts.length });
  return [bundle, ...(files.length > 0 ? describeContents(files) : [])];
}

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

/** One for each request, so that the links of a list are read together. */
const readers = new WeakMap<GraphqlContext, (id: string) => Promise<Kept | undefined>>();

async function readLinkStatistics(context: GraphqlContext, linkId: string) {
  const read = readers.get(context) ?? batchReads((ids) => findLinkStatistics(context.db, ids));
  readers.set(context, read);
  return (await read(linkId)) ?? NOTHING;
}
