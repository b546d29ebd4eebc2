import type { Database } from '../tables.ts';
import type { LinkCondition } from './link-condition.ts';
import { compareLinks, type PlacedLink, writeToken } from './list-position.ts';
import { describeListing, type Listing, type PageRequest } from './listing.ts';
import { type Rows, readRows } from './read-rows.ts';
import type { Link } from './tables.ts';

export interface LinkPage {
  links: Link[];
  /** Present as long as there are links that were not looked at. */
  nextToken: string | null;
}

/**
 * Links on sale or paused, by keyset. Every page costs the same, at any depth, in any order, with
 * any condition and any words: one of which no index knows enough looks at a fixed number of links,
 * holds fewer than its limit, even none, and leads on. Unlisted links are left out unless asked for.
 * @throws DomainError INVALID_INPUT for a limit out of bounds, an unknown sort, a search that is
 *   too long, or a token of another list or order
 */
export async function listLinks(
  db: Database,
  conditions: LinkCondition[],
  page: PageRequest,
  { withUnlisted = false } = {},
): Promise<LinkPage> {
  const listing = describeListing(conditions, page);
  const { links, last } = withUnlisted
    ? await readWithUnlisted(db, listing)
    : await readRows(db, listing);
  return { links, nextToken: last && writeToken(listing.order, last) };
}

/** Both kinds in one order, as far as both were looked at. */
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
