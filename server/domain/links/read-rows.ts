import type { ExpressionBuilder } from 'kysely';
import type { Database, Tables } from '../tables.ts';
import {
  holdsWords,
  inOrder,
  isOffered,
  isWithin,
  meets,
  offeredLinks,
} from './list-expressions.ts';
import type { Listing } from './listing.ts';
import type { Candidates } from './search/candidates.ts';
import { findCandidates } from './search/find-candidates.ts';
import type { Link } from './tables.ts';

/** Links that one page looks at for conditions that no index answers. */
const LOOKED_AT = 2_000;

export interface Rows {
  links: Link[];
  /** The last link that was looked at; null when there are no more. */
  last: Link | null;
}

/** Reads the rows of one page in the way that costs the least. */
export async function readRows(db: Database, listing: Listing): Promise<Rows> {
  const { keys, others, words } = listing;
  const isOne = keys.some(({ column }) => column === 'id');
  if (words.length === 0 && (isOne || others.length === 0)) return readInOrder(db, listing);
  const candidates = await findCandidates(db, listing);
  return candidates ? readAmong(db, listing, candidates) : lookThrough(db, listing);
}

/** An index has the order of the page. */
async function readInOrder(db: Database, listing: Listing): Promise<Rows> {
  const { keys, others, limit } = listing;
  const rows = await offeredLinks(db, listing, [...keys, ...others])
    .where(isWithin(listing))
    .orderBy(inOrder(listing))
    .selectAll('link')
    .limit(limit + 1)
    .execute();
  return cut(rows, limit);
}

/** All candidates are read and sorted. They come first: the order must not be walked for them. */
async function readAmong(db: Database, listing: Listing, candidates: Candidates): Promise<Rows> {
  const { keys, others, limit } = listing;
  const rows = await db
    .with(
      (cte) => cte('candidate').materialized(),
      () => candidates,
    )
    .selectFrom('candidate')
    .crossJoin('link')
    .whereRef('link.id', '=', 'candidate.link_id')
    .where(isOffered)
    .where('link.unlisted', '=', listing.unlisted)
    .where(meets([...keys, ...others]))
    .where(holdsWords(db, 'candidate.words', listing))
    .where(isWithin(listing))
    .orderBy(inOrder(listing))
    .selectAll('link')
    .limit(limit + 1)
    .execute();
  return cut(rows, limit);
}

/**
 * One statement, so that what is created meanwhile does not move the end of what is looked at. The
 * link at that end comes along whether it fits or not: there the next page begins.
 */
async function lookThrough(db: Database, listing: Listing): Promise<Rows> {
  const { keys, others, limit } = listing;
  const looked = offeredLinks(db, listing, keys).where(isWithin(listing)).orderBy(inOrder(listing));
  const end = looked
    .select('link.id as end_id')
    .offset(LOOKED_AT - 1)
    .limit(1);
  const fits = (eb: ExpressionBuilder<Tables, 'link'>) =>
    eb.and([meets(others)(eb), holdsWords(db, 'link_words.words', listing)]);
  const rows = await db
    // Once for all links: PostgreSQL would walk to the end again for each, expecting only one.
    .with(
      (cte) => cte('end_of_page').materialized(),
      () => end,
    )
    .selectFrom(looked.selectAll('link').limit(LOOKED_AT).as('link'))
    .leftJoin('link_words', 'link_words.link_id', 'link.id')
    .leftJoin('end_of_page', (join) => join.onTrue())
    .select((eb) => eb.case().when(fits(eb)).then(1).else(0).end().as('fits'))
    .where((eb) => eb.or([fits(eb), eb('link.id', '=', eb.ref('end_id'))]))
    .orderBy(inOrder(listing))
    .selectAll('link')
    .select('end_id')
    .limit(limit + 1)
    .execute();
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const goesOn = rows.length > limit || last?.id === last?.end_id;
  const links = shown.filter((row) => row.fits === 1).map(({ fits: _, end_id, ...link }) => link);
  return { links, last: goesOn && last ? last : null };
}

function cut(rows: Link[], limit: number): Rows {
  const links = rows.slice(0, limit);
  return { links, last: rows.length > limit ? (links.at(-1) ?? null) : null };
}
