import type { Database } from '../../ground/database/tables.ts';
import { readToken, toPage } from '../../ground/lib/newest-first.ts';
import type { LinkPage } from './list-links.ts';
import { type PageRequest, pageSize } from './listing.ts';

/**
 * A creator's deleted links, most recently deleted first, by keyset: their sales stay in the books.
 * @throws DomainError INVALID_INPUT for a limit out of bounds or a token of another list
 */
export async function listDeletedLinks(
  db: Database,
  ownerId: string,
  { limit, nextToken: after }: Pick<PageRequest, 'limit' | 'nextToken'>,
): Promise<LinkPage> {
  const size = pageSize(limit);
  let deleted = db
    .selectFrom('link')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is not', null)
    .orderBy('deleted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(size + 1);
  if (after) {
    const { time, id } = readToken('deleted', after);
    deleted = deleted.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('deleted_at', 'id'), '<', tuple<number | null, string>(time, id)),
    );
  }
  const { page: links, nextToken } = toPage(
    'deleted',
    await deleted.execute(),
    ({ deleted_at, id }) => ({ time: deleted_at ?? 0, id }),
    size,
  );
  return { links, nextToken };
}
