import { type Expression, type ExpressionBuilder, sql } from 'kysely';
import { dialectOf } from '../../ground/database/dialect.ts';
import { prepare } from '../../ground/database/prepare.ts';
import type { Database, Tables } from '../../ground/database/tables.ts';
import { createTurns } from '../../ground/lib/turns.ts';
import type { Candidates } from '../links/candidates.ts';
import type { LinkColumns, LinkCondition, LinkRow } from '../links/queries.ts';
import type { Link } from '../links/tables.ts';
import { findCandidates } from './find-candidates.ts';
import {
  holdsWords,
  inOrder,
  isOffered,
  isWithin,
  meets,
  offeredLinks,
} from './list-expressions.ts';
import { boundsAfter, compareLinks, type PlacedLink, writeToken } from './list-position.ts';
import { describeListing, type Listing, type PageRequest } from './listing.ts';

/** What is read of each link tells its place. */
type PlacedRow = LinkRow & PlacedLink;

export interface LinkPage {
  links: PlacedRow[];
  /** Present as long as there are links that were not examined. */
  nextToken: string | null;
}

/**
 * Links on sale or paused, by keyset. Every page costs the same, at any depth, in any order, with
 * any condition and any words: if no index is selective enough, a page examines a fixed number of
 * links, may contain fewer than its limit, even none, and still have a nextToken. Unlisted links
 * are left out unless asked for.
 * @throws DomainError INVALID_INPUT for a limit out of bounds, an unknown sort, a search that is
 * too long, or a token of another list or order
 */
export async function listLinks(
  db: Database,
  conditions: LinkCondition[],
  page: PageRequest,
  { withUnlisted = false, columns = null }: { withUnlisted?: boolean; columns?: LinkColumns } = {},
): Promise<LinkPage> {
  const listing = { ...describeListing(conditions, page), columns };
  if (listing.isVain) return { links: [], nextToken: null };
  const { links, last } = withUnlisted
    ? await readWithUnlisted(db, listing)
    : await readRows(db, listing);
  return { links, nextToken: last && writeToken(listing.order, last) };
}

/** Both kinds in one order, as far as both were examined. */
async function readWithUnlisted(db: Database, listing: Listing): Promise<Rows> {
  const kinds = await Promise.all([
    readRows(db, listing),
    readRows(db, { ...listing, unlisted: 1 }),
  ]);
  const compare = (one: PlacedLink, other: PlacedLink) => compareLinks(listing.order, one, other);
  const [end = null] = kinds.flatMap(({ last }) => last ?? []).sort(compare);
  const links = kinds
    .flatMap((rows) => rows.links)
    .filter((link) => !end || compare(link, end) <= 0)
    .sort(compare);
  if (links.length <= listing.limit) return { links, last: end };
  const shown = links.slice(0, listing.limit);
  return { links: shown, last: shown.at(-1) ?? null };
}

/** Links that one page examines for conditions and words that no index answers. */
const LOOKED_AT = 2_000;
/**
 * The most of these whose words are read in one statement: meanwhile, SQLite answers nobody else.
 */
const READ_AT_ONCE = 250;

interface Rows {
  links: PlacedRow[];
  /** The last link that was examined; null if there are no more. */
  last: PlacedLink | null;
}

const takeTurn = createTurns();

/** Reads the rows of one page in the way that costs the least. */
async function readRows(db: Database, listing: Listing): Promise<Rows> {
  const { keys, others, words } = listing;
  const isOne = keys.some(({ column }) => column === 'id');
  if (words.length === 0 && (isOne || others.length === 0)) return readInOrder(db, listing);
  const candidates = await findCandidates(db, listing);
  return candidates ? readAmong(db, listing, candidates) : lookThrough(db, listing);
}

/** An index has the order of the page. */
async function readInOrder(db: Database, listing: Listing): Promise<Rows> {
  const { keys, others, low, high, limit } = listing;
  const isPlain = keys.length + others.length === 0 && !low && !high;
  const rows = isPlain
    ? await prepareFirstPage(listing)(db, limit + 1)
    : await selectInOrder(db, listing, limit + 1).execute();
  return cut(rows, limit);
}

function selectInOrder(db: Database, listing: Listing, count: number | Expression<number>) {
  const { keys, others, columns } = listing;
  const rows = offeredLinks(db, listing, [...keys, ...others])
    .where(isWithin(listing))
    .orderBy(inOrder(listing))
    .limit(count);
  return (columns ? rows.select(columns) : rows.selectAll('link')).$castTo<PlacedRow>();
}

type ReadFirst = (db: Database, count: number) => Promise<PlacedRow[]>;
/** By the columns, which are the same ones as long as their query is kept. */
const firstPages = new WeakMap<object, Map<string, ReadFirst>>();
const ALL_COLUMNS = {};

/** What most people open, of a whole list: compiled once. */
function prepareFirstPage(listing: Listing): ReadFirst {
  const { columns, order, unlisted } = listing;
  const ofColumns = firstPages.get(columns ?? ALL_COLUMNS) ?? new Map<string, ReadFirst>();
  firstPages.set(columns ?? ALL_COLUMNS, ofColumns);
  const name = `${order.sort} ${unlisted}`;
  const read =
    ofColumns.get(name) ??
    // SQLite plans anew for each value of a limit that is nothing but a parameter.
    prepare((db, count: number) => selectInOrder(db, listing, sql<number>`${count} + 0`));
  ofColumns.set(name, read);
  return read;
}

/** All candidates are sorted. What is still to be read of them is read in this order. */
async function readAmong(
  db: Database,
  listing: Listing,
  { links, words }: Candidates,
): Promise<Rows> {
  const { keys, others, limit } = listing;
  // They come first: the order must not be walked for them.
  const sorted = db
    .with(
      (cte) => cte('candidate').materialized(),
      () => links,
    )
    .selectFrom('candidate')
    .crossJoin('link')
    .whereRef('link.id', '=', 'candidate.link_id')
    .where(isOffered)
    .where('link.unlisted', '=', listing.unlisted)
    .where(meets([...keys, ...others]))
    .where(isWithin(listing))
    .orderBy(inOrder(listing));
  await takeTurn();
  if (words.length === 0) {
    const shown = sorted.select('link.id').limit(limit + 1);
    const rows = await db
      .selectFrom('link')
      .where('link.id', 'in', shown)
      .orderBy(inOrder(listing))
      .selectAll('link')
      .execute();
    return cut(rows, limit);
  }
  const places = await sorted
    .select(['link.id', 'link.created_at', 'link.price_cents'])
    .limit(LOOKED_AT + 1)
    .execute();
  const rows: Link[] = [];
  for (let start = 0; start < LOOKED_AT && start < places.length; start += READ_AT_ONCE) {
    await takeTurn();
    const ids = places.slice(start, start + READ_AT_ONCE).map(({ id }) => id);
    const found = await offeredLinks(db, listing, [...keys, ...others])
      .innerJoin('link_words', 'link_words.link_id', 'link.id')
      .where(isAmong(db, ids))
      .where(holdsWords(db, words))
      .orderBy(inOrder(listing))
      .selectAll('link')
      .limit(limit + 1)
      .execute();
    rows.push(...found);
    if (rows.length > limit) return cut(rows, limit);
  }
  return { links: rows, last: places.length > LOOKED_AT ? (places[LOOKED_AT - 1] ?? null) : null };
}

/** One value, so that the statement is the same for any number of ids. */
function isAmong(db: Database, ids: string[]) {
  return dialectOf(db) === 'sqlite'
    ? sql<boolean>`link.id in (select value from json_each(${JSON.stringify(ids)}))`
    : sql<boolean>`link.id = any(${ids})`;
}

/** In steps, each of which begins where the one before ended: whatever is created meanwhile. */
async function lookThrough(db: Database, listing: Listing): Promise<Rows> {
  const { limit, order, words } = listing;
  const atOnce = words.length > 0 ? READ_AT_ONCE : LOOKED_AT;
  const links: Link[] = [];
  let rest = listing;
  for (let looked = atOnce; ; looked += atOnce) {
    await takeTurn();
    const step = await lookAtNext(db, rest, atOnce, limit + 1 - links.length);
    links.push(...step.links);
    if (links.length > limit) return cut(links, limit);
    if (!step.end || looked >= LOOKED_AT) return { links, last: step.end };
    rest = { ...rest, ...boundsAfter(order, step.end, rest) };
  }
}

/**
 * The wanted number of links among the next `count`, and the last of these where there are as many
 * and all were looked at.
 */
async function lookAtNext(
  db: Database,
  listing: Listing,
  count: number,
  wanted: number,
): Promise<{ links: Link[]; end: Link | null }> {
  const { keys, others, words } = listing;
  const looked = offeredLinks(db, listing, keys).where(isWithin(listing)).orderBy(inOrder(listing));
  const end = looked
    .select('link.id as end_id')
    .offset(count - 1)
    .limit(1);
  const fits = (eb: ExpressionBuilder<Tables, 'link'>) =>
    eb.and([meets(others)(eb), holdsWords(db, words)]);
  const rows = await db
    // Once for all links: PostgreSQL would walk to the end again for each, expecting only one.
    .with(
      (cte) => cte('end_of_step').materialized(),
      () => end,
    )
    .selectFrom(looked.selectAll('link').limit(count).as('link'))
    .leftJoin('link_words', 'link_words.link_id', 'link.id')
    .leftJoin('end_of_step', (join) => join.onTrue())
    .select((eb) => eb.case().when(fits(eb)).then(1).else(0).end().as('fits'))
    .where((eb) => eb.or([fits(eb), eb('link.id', '=', eb.ref('end_id'))]))
    .orderBy(inOrder(listing))
    .selectAll('link')
    .select('end_id')
    .limit(wanted + 1)
    .execute();
  const links = rows.filter((row) => row.fits === 1).map(({ fits: _, end_id, ...link }) => link);
  return {
    links: links.slice(0, wanted),
    end: rows.find(({ id, end_id }) => id === end_id) ?? null,
  };
}

function cut(rows: PlacedRow[], limit: number): Rows {
  const links = rows.slice(0, limit);
  return { links, last: rows.length > limit ? (links.at(-1) ?? null) : null };
}
