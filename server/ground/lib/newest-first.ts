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

/** The rows of a page, of up to `ROWS_OF_PAGE`, and the token of the page after it. */
export function toPage<Row>(
  list: string,
  rows: Row[],
  placeOf: (row: Row) => Position,
): { page: Row[]; nextToken: string | null } {
  const page = rows.slice(0, DEFAULT_PAGE_SIZE);
  const last = page.at(-1);
  if (!last || rows.length === page.length) return { page, nextToken: null };
  const { time, id } = placeOf(last);
  return { page, nextToken: writePageToken(list, { values: [time], id }) };
}
