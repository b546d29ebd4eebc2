import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { noSuch } from '../stripe-error.ts';
import type { Kind, Kinds } from './kinds.ts';

const COMPARISONS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;
type Comparison = keyof typeof COMPARISONS;

export interface ListQuery {
  limit: number;
  startingAfter?: string | undefined;
  endingBefore?: string | undefined;
  /** Bounds of the moment of creation, in unix seconds. */
  created?: { [C in Comparison]?: number | undefined } | undefined;
  /** Conditions on fields of the JSON; an array means "one of these". */
  fields?: Record<string, string | string[] | undefined> | undefined;
}

export interface Page<T> {
  data: T[];
  /** Whether there is more in the direction that was asked for. */
  hasMore: boolean;
}

/** One page of an account's objects of a kind, newest first. */
export function listObjects<K extends Kind>(
  db: DatabaseSync,
  account: string | null,
  kind: K,
  { limit, startingAfter, endingBefore, created = {}, fields = {} }: ListQuery,
): Page<Kinds[K]> {
  const conditions = ['kind = ?', 'account IS ?'];
  const values: SQLInputValue[] = [kind, account];
  const where = (condition: string, ...bound: SQLInputValue[]) => {
    conditions.push(condition);
    values.push(...bound);
  };
  const position = (id: string, param: string): number => {
    const row = db
      .prepare('SELECT seq FROM object WHERE id = ? AND kind = ? AND account IS ?')
      .get(id, kind, account);
    if (!row) throw noSuch(kind, id, param);
    return row.seq as number;
  };

  if (startingAfter) where('seq < ?', position(startingAfter, 'starting_after'));
  if (endingBefore) where('seq > ?', position(endingBefore, 'ending_before'));
  for (const [name, bound] of Object.entries(created)) {
    if (bound !== undefined) where(`created ${COMPARISONS[name as Comparison]} ?`, bound);
  }
  for (const [field, wanted] of Object.entries(fields)) {
    if (wanted === undefined) continue;
    const accepted = [wanted].flat();
    const marks = accepted.map(() => '?').join(', ');
    where(`json_extract(json, ?) IN (${marks})`, `$.${field}`, ...accepted);
  }

  const rows = db
    .prepare(
      `SELECT json FROM object WHERE ${conditions.join(' AND ')}
       ORDER BY seq ${endingBefore ? 'ASC' : 'DESC'} LIMIT ?`,
    )
    .all(...values, limit + 1);
  const data = rows.slice(0, limit).map((row) => JSON.parse(row.json as string) as Kinds[K]);
  return { data: endingBefore ? data.reverse() : data, hasMore: rows.length > limit };
}
