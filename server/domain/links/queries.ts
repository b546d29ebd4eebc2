import { sql } from 'kysely';
import { DEFAULT_PAGE_SIZE, LINK_ID_PATTERN, MAX_PAGE_SIZE } from '../../../contract/limits.ts';
import { DomainError } from '../domain-error.ts';
import type { StoredFile } from '../files/tables.ts';
import type { Database } from '../tables.ts';
import type { Link } from './tables.ts';

/** Any link by its id, deleted and taken-down ones included. */
export async function findLink(db: Database, id: string): Promise<Link | undefined> {
  if (!LINK_ID_PATTERN.test(id)) return undefined;
  return db.selectFrom('link').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The files a link sells, in order. */
export function filesOfLink(db: Database, linkId: string): Promise<StoredFile[]> {
  return db
    .selectFrom('link_file')
    .innerJoin('file', 'file.key', 'link_file.file_key')
    .where('link_file.link_id', '=', linkId)
    .orderBy('link_file.position')
    .selectAll('file')
    .execute();
}

type FilterColumn = 'id' | 'type' | 'owner_id' | 'price_cents' | 'created_at';

/** Conditions on the public columns alone: a filter on key or url would leak them. */
export interface LinkCondition {
  column: FilterColumn;
  operator: '=' | '!=' | '<' | '<=' | '>' | '>=' | 'begins-with';
  value: string | number;
}

export interface LinkPage {
  links: Link[];
  nextToken: string | null;
}

/**
 * Links on sale or paused, newest first, by keyset: a page costs the same at any depth.
 * @throws DomainError INVALID_INPUT for a limit out of bounds or a foreign token
 */
export async function listLinks(
  db: Database,
  conditions: LinkCondition[],
  page: { limit?: number | null; nextToken?: string | null },
): Promise<LinkPage> {
  const limit = pageSize(page.limit);
  let query = db
    .selectFrom('link')
    .selectAll()
    .where('deleted_at', 'is', null)
    .where('taken_down_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  for (const { column, operator, value } of conditions) {
    query =
      operator === 'begins-with'
        ? query.where(sql<boolean>`substr(${sql.ref(column)}, 1, ${length(value)}) = ${value}`)
        : query.where(column, operator, value);
  }
  if (page.nextToken) {
    const { createdAt, id } = readToken(page.nextToken);
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('created_at', 'id'), '<', tuple(createdAt, id)),
    );
  }
  const rows = await query.execute();
  const links = rows.slice(0, limit);
  const last = links.at(-1);
  return { links, nextToken: rows.length > limit && last ? writeToken(last) : null };
}

function pageSize(limit: number | null | undefined): number {
  if (limit == null) return DEFAULT_PAGE_SIZE;
  if (limit < 1 || limit > MAX_PAGE_SIZE) {
    throw new DomainError('INVALID_INPUT', `The limit of a page is 1 to ${MAX_PAGE_SIZE}.`);
  }
  return limit;
}

/** Characters as the database counts them: code points, not UTF-16 units. */
const length = (value: string | number) => [...String(value)].length;

function writeToken(link: Link): string {
  return Buffer.from(`${link.created_at}.${link.id}`).toString('base64url');
}

function readToken(token: string): { createdAt: number; id: string } {
  const match = /^(\d{1,15})\.([0-9a-f]{8})$/.exec(Buffer.from(token, 'base64url').toString());
  if (!match) throw new DomainError('INVALID_INPUT', 'The nextToken is not one of this list.');
  return { createdAt: Number(match[1]), id: match[2] as string };
}
