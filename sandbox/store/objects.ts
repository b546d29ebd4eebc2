import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { noSuch } from '../stripe-error.ts';
import type { Kind, Kinds } from './kinds.ts';
import { prepare } from './open-database.ts';

/** The objects of one account; the platform's own when the account is null. */
export interface Objects {
  insert<K extends Kind>(kind: K, object: Kinds[K]): void;
  update<K extends Kind>(kind: K, object: Kinds[K]): void;
  find<K extends Kind>(kind: K, id: string): Kinds[K] | undefined;
  /** @throws StripeError 404 naming `param` when there is no such object */
  get<K extends Kind>(kind: K, id: string, param?: string): Kinds[K];
  /** The object that a reference in another object names, of whatever kind. */
  follow(id: string): Kinds[Kind] | undefined;
  list<K extends Kind>(kind: K, query: ListQuery): Page<Kinds[K]>;
  /** What the account holds: the sum of its balance transactions' net, in cents. */
  balance(): number;
}

export function objectsOf(db: DatabaseSync, account: string | null, now: number): Objects {
  const objects: Objects = {
    insert(kind, object) {
      prepare(
        db,
        'INSERT INTO object (id, kind, account, created, json) VALUES (?, ?, ?, ?, ?)',
      ).run(object.id, kind, account, now, JSON.stringify(object));
    },

    update(kind, object) {
      prepare(db, 'UPDATE object SET json = ? WHERE id = ? AND kind = ? AND account IS ?').run(
        JSON.stringify(object),
        object.id,
        kind,
        account,
      );
    },

    find(kind, id) {
      const row = prepare(
        db,
        'SELECT json FROM object WHERE id = ? AND kind = ? AND account IS ?',
      ).get(id, kind, account);
      return row && JSON.parse(row.json as string);
    },

    get(kind, id, param) {
      const object = objects.find(kind, id);
      if (!object) throw noSuch(kind, id, param);
      return object;
    },

    follow(id) {
      const row = prepare(db, 'SELECT json FROM object WHERE id = ? AND account IS ?').get(
        id,
        account,
      );
      return row && JSON.parse(row.json as string);
    },

    list: (kind, query) => listObjects(db, account, kind, query),

    balance() {
      const row = prepare(
        db,
        `SELECT coalesce(sum(json_extract(json, '$.net')), 0) AS cents
           FROM object WHERE kind = 'balance_transaction' AND account IS ?`,
      ).get(account);
      return row?.cents as number;
    },
  };
  return objects;
}

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

interface Page<T> {
  data: T[];
  /** Whether there is more in the direction that was asked for. */
  hasMore: boolean;
}

/** One page of an account's objects of a kind, newest first. */
function listObjects<K extends Kind>(
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
  const position = (id: string, param: string): [created: number, seq: number] => {
    const row = prepare(
      db,
      'SELECT created, seq FROM object WHERE id = ? AND kind = ? AND account IS ?',
    ).get(id, kind, account);
    if (!row) throw noSuch(kind, id, param);
    return [row.created as number, row.seq as number];
  };

  if (startingAfter) where('(created, seq) < (?, ?)', ...position(startingAfter, 'starting_after'));
  if (endingBefore) where('(created, seq) > (?, ?)', ...position(endingBefore, 'ending_before'));
  for (const [name, bound] of Object.entries(created)) {
    if (bound !== undefined) where(`created ${COMPARISONS[name as Comparison]} ?`, bound);
  }
  for (const [field, wanted] of Object.entries(fields)) {
    if (wanted === undefined) continue;
    const accepted = [wanted].flat();
    const marks = accepted.map(() => '?').join(', ');
    where(`json_extract(json, ?) IN (${marks})`, `$.${field}`, ...accepted);
  }

  const order = endingBefore ? 'ASC' : 'DESC';
  const rows = prepare(
    db,
    `SELECT json FROM object WHERE ${conditions.join(' AND ')}
       ORDER BY created ${order}, seq ${order} LIMIT ?`,
  ).all(...values, limit + 1);
  const data = rows.slice(0, limit).map((row) => JSON.parse(row.json as string) as Kinds[K]);
  return { data: endingBefore ? data.reverse() : data, hasMore: rows.length > limit };
}
