import { type SelectQueryBuilder, sql } from 'kysely';
import { DEFAULT_PAGE_SIZE } from '../../../contract/limits.ts';
import { readPageToken, writePageToken } from './page-token.ts';

/** A place in a list that is read by keyset, the newest row first: a time in UTC ms, then an id. */
interface Position {
  time: number;
  id: string;
}

/** So many rows are read for a page: one more than it shows tells that another one follows. */
export const ROWS_OF_PAGE = DEFAULT_PAGE_SIZE + 1;

/**
 * Where a page ended.
 * @param list what is listed, in the plural
 * @throws DomainError INVALID_INPUT for a token of another list
 */
export function readToken(list: string, token: string): Position {
  const { values, id } = readPageToken(list, token, 1);
  return { time: values[0] ?? 0, id };
}

interface Listing<Row> {
  /** What is listed, in the plural. */
  list: string;
  /** The columns of a row's place: the time, then the id. */
  by: [time: string, id: string];
  placeOf(row: Row): Position;
  /** Where the last page ended; null for the first one. */
  token: string | null;
}

/**
 * A page of what a query finds, the newest row first, by keyset.
 * @throws DomainError INVALID_INPUT for a token of another list
 */
export async function readPage<DB, TB extends keyof DB, Row>(
  found: SelectQueryBuilder<DB, TB, Row>,
  { list, by, placeOf, token }: Listing<Row>,
): Promise<{ items: Row[]; nextToken: string | null }> {
  const time = sql.ref(by[0]);
  const id = sql.ref(by[1]);
  let asked = found.orderBy(time, 'desc').orderBy(id, 'desc').limit(ROWS_OF_PAGE);
  if (token !== null) {
    const after = readToken(list, token);
    asked = asked.where(sql<boolean>`(${time}, ${id}) < (${after.time}, ${after.id})`);
  }
  const { page: items, nextToken } = toPage(list, (await asked.execute()) as Row[], placeOf);
  return { items, nextToken };
}

/** The rows of a page, of one more than it shows, and the token of the page after it. */
export function toPage<Row>(
  list: string,
  rows: Row[],
  placeOf: (row: Row) => Position,
  size = DEFAULT_PAGE_SIZE,
): { page: Row[]; nextToken: string | null } {
  const page = rows.slice(0, size);
  const last = page.at(-1);
  if (!last || rows.length === page.length) return { page, nextToken: null };
  const { time, id } = placeOf(last);
  return { page, nextToken: writePageToken(list, { values: [time], id }) };
}
