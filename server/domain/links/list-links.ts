import type { Database } from '../tables.ts';
import type { LinkCondition } from './link-condition.ts';
import { writeToken } from './list-position.ts';
import { describeListing, type PageRequest } from './listing.ts';
import { readRows } from './read-rows.ts';
import type { Link } from './tables.ts';

export interface LinkPage {
  links: Link[];
  /** Present as long as there are links that were not looked at. */
  nextToken: string | null;
}

/**
 * Links on sale or paused, by keyset. Every page costs the same, at any depth, in any order, with
 * any condition and any words: one of which no index knows enough looks at a fixed number of links,
 * holds fewer than its limit, even none, and leads on.
 * @throws DomainError INVALID_INPUT for a limit out of bounds, an unknown sort, a search that is
 *   too long, or a token of another list or order
 */
export async function listLinks(
  db: Database,
  conditions: LinkCondition[],
  page: PageRequest,
): Promise<LinkPage> {
  const listing = describeListing(conditions, page);
  const { links, last } = await readRows(db, listing);
  return { links, nextToken: last && writeToken(listing.order, last) };
}
