import { fact } from '../../../contract/fact.ts';
import { MAX_SEARCH_WORDS } from '../../../contract/limits.ts';
import { LINK_SORTS } from '../../../contract/links.ts';
import type { LinkCondition } from '../../catalog/links/queries.ts';
import { listLinks } from '../../catalog/listing/list-links.ts';
import { builder, type GraphqlContext, requireReader } from '../../edge/graphql/builder.ts';
import { addressKey, RateLimited } from '../../edge/http/rate-limits.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { requireScope, type Viewer } from '../../ground/lib/viewer.ts';
import { PaywallLink, PresentedLink } from './present-link.ts';
import { PLACED, selectColumns } from './select-columns.ts';

export const LinkConnection = builder.simpleObject('ModelPaywallLinkConnection', {
  fields: (t) => ({
    items: t.field({ type: [PaywallLink] }),
    nextToken: t.string({ nullable: true }),
  }),
});

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
      const columns = selectColumns(info, PLACED, ['items']);
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
    const words = fact('Too many searches. Please try again in {count} seconds.', {
      count: retryAfter,
    });
    throw new RateLimited(retryAfter * 1_000, words);
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

/**
 * What is given without a value is refused: a condition that is left out would list everything.
 * @throws DomainError INVALID_INPUT for it, and for a date or range that cannot be compared
 */
function toConditions(filter: Filter | null | undefined): LinkCondition[] {
  return Object.entries(filter ?? {}).flatMap(([field, given]) => {
    const name = field as keyof typeof COLUMNS;
    const comparisons = Object.entries((given ?? {}) as FieldFilter);
    if (comparisons.length === 0) throw emptyFilter(field);
    return comparisons.flatMap(([operator, value]) => toCondition(name, operator, value));
  });
}

function toCondition(
  field: keyof typeof COLUMNS,
  operator: string,
  value: FieldFilter[string],
): LinkCondition[] {
  if (value == null) throw emptyFilter(`${field}.${operator}`);
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

function emptyFilter(name: string): DomainError {
  return new DomainError(
    'INVALID_INPUT',
    `The filter '${name}' has no value. Give it one, or leave it out.`,
  );
}

function toTime(text: string, operator: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time) || operator === 'beginsWith') {
    throw new DomainError('INVALID_INPUT', 'The filter createdAt takes ISO 8601 times.');
  }
  return time;
}
