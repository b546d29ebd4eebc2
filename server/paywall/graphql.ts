import { describeContents } from '../../contract/describe-contents.ts';
import { MAX_SEARCH_WORDS } from '../../contract/limits.ts';
import { PREVIEWS } from '../../contract/link-rules.ts';
import { LINK_SORTS } from '../../contract/links.ts';
import { showFacts } from '../files/file-facts.ts';
import type { StoredFile } from '../files/tables.ts';
import { builder, type GraphqlContext, requireReader } from '../graphql/builder.ts';
import { addressKey, RateLimited } from '../http/rate-limits.ts';
import { batchReads } from '../lib/batch-reads.ts';
import { DomainError } from '../lib/domain-error.ts';
import { isoTime } from '../lib/time.ts';
import { requireScope, type Viewer } from '../lib/viewer.ts';
import { findLinkRow, type LinkCondition } from '../links/queries.ts';
import { listLinks } from '../listing/list-links.ts';
import { findLinkStatistics } from '../statistics/counts.ts';
import type { LinkStatistics as Kept } from '../statistics/tables.ts';
import { Checkout } from './checkout-graphql.ts';
import { findVisibleLink, PaywallLink, PresentedLink } from './present-link.ts';
import { selectColumns } from './select-columns.ts';

/** How long after the end of its checkout a failed payment is spoken of. */
const FAILURE_TOLD_MS = 24 * 60 * 60 * 1000;

export const PaywallFile = builder.simpleObject('PaywallFile', {
  fields: (t) => ({
    key: t.string(),
    name: t.string(),
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
      description: 'Storage key of the first file. Null unless unlocked for this viewer.',
      resolve: async (link) => (await link.unlock())?.key(),
    }),
    url: t.field({
      type: 'URL',
      nullable: true,
      description:
        'Null unless unlocked for this viewer. Of a bundle its own page, which leads to its parts.',
      resolve: async (link, _args, { publicUrl }) => {
        const content = await link.unlock();
        return content && link.isBundle ? `${publicUrl}/p/${link.id}` : content?.url();
      },
    }),
    unlocked: t.boolean({
      description:
        'True for the owner, for a viewer with a grant, and where the creator made the link free.',
      resolve: async (link) => (await link.unlock()) !== null,
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
        'unlocked for this viewer.',
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
      resolve: async (link) => {
        const files = (await link.listContents()).map(showFacts);
        const parts = await link.findParts();
        if (!parts) return describeContents(files);
        return [`Bundle of ${parts.length}`, ...(files.length > 0 ? describeContents(files) : [])];
      },
    }),
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
      resolve: (link) => link.findFault(),
    }),
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

export const LinkConnection = builder.simpleObject('ModelPaywallLinkConnection', {
  fields: (t) => ({
    items: t.field({ type: [PaywallLink] }),
    nextToken: t.string({ nullable: true }),
  }),
});

builder.queryField('getPaywallLink', (t) =>
  t.field({
    type: PaywallLink,
    nullable: true,
    description: 'One link, resolved for this viewer. Null when it does not exist.',
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, context, info) => {
      requireReader(context);
      const link = await findLinkRow(context.db, id, selectColumns(info));
      return findVisibleLink(context, context.viewer, link);
    },
  }),
);

builder.queryField('listPaywallLinks', (t) =>
  t.field({
    type: LinkConnection,
    nullable: true,
    description:
      'Links, newest first unless sorted otherwise. Null when they could not be read. Unlisted ones ' +
      'are among them for the service key, and for their owner when the filter names that owner or ' +
      'only `mine` are asked for. ' +
      'A page whose filter or search matches few links may contain fewer than its limit, even ' +
      'none: continue with nextToken until it is null.',
    args: {
      filter: t.arg({ type: LinkFilter }),
      mine: t.arg.boolean({ description: "Only the viewer's own: for a session or a secret key." }),
      limit: t.arg.int(),
      nextToken: t.arg.string({ description: 'From a page with the same sort.' }),
      search: t.arg.string({
        description:
          'At most 100 characters: words contained in title and description, regardless of case and ' +
          `accents; the last one may be incomplete. The first ${MAX_SEARCH_WORDS} are searched for.`,
      }),
      sort: t.arg.string({
        description: `One of ${LINK_SORTS.join(', ')}; the first unless given.`,
      }),
    },
    resolve: async (_root, { filter, mine, ...page }, context, info) => {
      requireReader(context);
      const { db, viewer } = context;
      if (page.search?.trim()) await takeSearch(context);
      const conditions = toConditions(filter);
      if (mine) {
        const value = viewer.creatorId ?? requireScope(viewer, 'read', SIGN_IN_FOR_LINKS);
        conditions.push({ column: 'owner_id', operator: '=', value });
      }
      const withUnlisted = maySeeUnlisted(viewer, conditions);
      const columns = selectColumns(info, ['items']);
      const { links, nextToken } = await listLinks(db, conditions, page, { withUnlisted, columns });
      return {
        items: links.map((link) => new PresentedLink(context, viewer, link)),
        nextToken,
      };
    },
  }),
);

const SIGN_IN_FOR_LINKS = 'Unauthorized: Sign in to see your links.';

/** @throws RateLimited when an account, or an address, searches in a flood */
async function takeSearch({ viewer, address, limits }: GraphqlContext): Promise<void> {
  const { authority, creatorId } = viewer;
  if (authority === 'operator') return;
  try {
    if (creatorId !== null) await limits.take('searches', creatorId);
    else if (address !== null) await limits.take('searchesOfAddress', addressKey(address));
  } catch (error) {
    if (!(error instanceof RateLimited)) throw error;
    const { retryAfter } = error;
    const reason = `Too many searches. Please try again in ${retryAfter} seconds.`;
    throw new RateLimited(retryAfter * 1_000, reason);
  }
}

/** The operator sees everything, creators what is theirs, where a list is of that alone. */
function maySeeUnlisted({ authority, creatorId }: Viewer, conditions: LinkCondition[]): boolean {
  if (authority === 'operator') return true;
  return conditions.some(
    ({ column, operator, value }) =>
      column === 'owner_id' && operator === '=' && value === creatorId,
  );
}

const StringFilter = builder.inputType('ModelStringInput', {
  fields: (t) => ({
    eq: t.string(),
    ne: t.string(),
    gt: t.string(),
    ge: t.string(),
    lt: t.string(),
    le: t.string(),
    between: t.stringList(),
    beginsWith: t.string(),
  }),
});

const IntFilter = builder.inputType('ModelIntInput', {
  fields: (t) => ({
    eq: t.int(),
    ne: t.int(),
    gt: t.int(),
    ge: t.int(),
    lt: t.int(),
    le: t.int(),
    between: t.intList(),
  }),
});

/** Only columns that everyone may read: a filter on key or url would leak them. */
const LinkFilter = builder.inputType('ModelPaywallLinkFilterInput', {
  fields: (t) => ({
    id: t.field({ type: StringFilter }),
    type: t.field({ type: StringFilter }),
    owner: t.field({ type: StringFilter }),
    price: t.field({ type: IntFilter }),
    createdAt: t.field({ type: StringFilter }),
  }),
});

const COLUMNS = {
  id: 'id',
  type: 'type',
  owner: 'owner_id',
  price: 'price_cents',
  createdAt: 'created_at',
} as const;

const OPERATORS = {
  eq: '=',
  ne: '!=',
  gt: '>',
  ge: '>=',
  lt: '<',
  le: '<=',
  beginsWith: 'begins-with',
} as const;

type Filter = typeof LinkFilter.$inferInput;
type FieldFilter = Record<
  string,
  string | number | readonly (string | number)[] | null | undefined
>;

/** @throws DomainError INVALID_INPUT for a date or range that cannot be compared */
function toConditions(filter: Filter | null | undefined): LinkCondition[] {
  return Object.entries(filter ?? {}).flatMap(([field, given]) => {
    const name = field as keyof typeof COLUMNS;
    return Object.entries((given ?? {}) as FieldFilter).flatMap(([operator, value]) =>
      toCondition(name, operator, value),
    );
  });
}

function toCondition(
  field: keyof typeof COLUMNS,
  operator: string,
  value: FieldFilter[string],
): LinkCondition[] {
  if (value == null) return [];
  if (typeof value === 'object') {
    const [low, high, ...rest] = value;
    if (low === undefined || high === undefined || rest.length > 0) {
      throw new DomainError('INVALID_INPUT', `The filter '${field}.between' takes two values.`);
    }
    return [...toCondition(field, 'ge', low), ...toCondition(field, 'le', high)];
  }
  return [
    {
      column: COLUMNS[field],
      operator: OPERATORS[operator as keyof typeof OPERATORS],
      value: field === 'createdAt' ? toTime(String(value), operator) : value,
    },
  ];
}

function toTime(text: string, operator: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time) || operator === 'beginsWith') {
    throw new DomainError('INVALID_INPUT', 'The filter createdAt takes ISO 8601 times.');
  }
  return time;
}

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
