import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../../../contract/limits.ts';
import type { Database } from '../../ground/database/tables.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { readPageToken, writePageToken } from '../../ground/lib/page-token.ts';
import type { Link } from '../links/tables.ts';
import type { LinkPage } from './list-links.ts';

interface PageRequest {
  limit?: number | null | undefined;
  nextToken?: string | null | undefined;
}

/**
 * A creator's deleted links, most recently deleted first, by keyset: their sales stay in the books.
 * @throws DomainError INVALID_INPUT for a limit out of bounds or a token of another list
 */
export async function listDeletedLinks(
  db: Database,
  ownerId: string,
  { limit, nextToken }: PageRequest,
): Promise<LinkPage> {
  const size = limit ?? DEFAULT_PAGE_SIZE;
  if (size < 1 || size > MAX_PAGE_SIZE) {
    throw new DomainError('INVALID_INPUT', `The limit must be from 1 to ${MAX_PAGE_SIZE}.`);
  }
  let deleted = db
    .selectFrom('link')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is not', null)
    .orderBy('deleted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(size + 1);
  if (nextToken) {
    const { values, id } = readPageToken('deleted', nextToken, 1);
    deleted = deleted.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('deleted_at', 'id'), '<', tuple<number | null, string>(values[0] ?? 0, id)),
    );
  }
  const rows = await deleted.execute();
  const links = rows.slice(0, size);
  const last = links.at(-1);
  const goesOn = rows.length > size && last;
  return { links, nextToken: goesOn ? tokenOf(last) : null };
}

const tokenOf = ({ deleted_at, id }: Link) =>
  writePageToken('deleted', { values: [deleted_at ?? 0], id });
