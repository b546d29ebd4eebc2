import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../../contract/limits.ts';
import type { Database } from '../database/tables.ts';
import { DomainError } from '../lib/domain-error.ts';
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
    const { deletedAt, id } = readToken(nextToken);
    deleted = deleted.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('deleted_at', 'id'), '<', tuple(deletedAt, id)),
    );
  }
  const rows = await deleted.execute();
  const links = rows.slice(0, size);
  const last = links.at(-1);
  const goesOn = rows.length > size && last;
  return { links, nextToken: goesOn ? writeToken(last.deleted_at, last.id) : null };
}

function writeToken(deletedAt: number | null, id: string): string {
  return Buffer.from(`deleted.${deletedAt}.${id}`).toString('base64url');
}

function readToken(token: string): { deletedAt: number; id: string } {
  const text = Buffer.from(token, 'base64url').toString();
  const [, time, id] = /^deleted\.(\d{1,15})\.([0-9a-f]{8})$/.exec(text) ?? [];
  if (time !== undefined && id !== undefined) return { deletedAt: Number(time), id };
  throw new DomainError(
    'INVALID_INPUT',
    'The nextToken does not belong to the list of deleted links.',
  );
}
