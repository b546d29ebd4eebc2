import type { DatabaseSync } from 'node:sqlite';
import { noSuch } from '../stripe-error.ts';
import type { Kind, Kinds } from './kinds.ts';
import { type ListQuery, listObjects, type Page } from './list-objects.ts';

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
      db.prepare(
        'INSERT INTO object (id, kind, account, created, json) VALUES (?, ?, ?, ?, ?)',
      ).run(object.id, kind, account, now, JSON.stringify(object));
    },

    update(kind, object) {
      db.prepare('UPDATE object SET json = ? WHERE id = ? AND kind = ? AND account IS ?').run(
        JSON.stringify(object),
        object.id,
        kind,
        account,
      );
    },

    find(kind, id) {
      const row = db
        .prepare('SELECT json FROM object WHERE id = ? AND kind = ? AND account IS ?')
        .get(id, kind, account);
      return row && JSON.parse(row.json as string);
    },

    get(kind, id, param) {
      const object = objects.find(kind, id);
      if (!object) throw noSuch(kind, id, param);
      return object;
    },

    follow(id) {
      const row = db
        .prepare('SELECT json FROM object WHERE id = ? AND account IS ?')
        .get(id, account);
      return row && JSON.parse(row.json as string);
    },

    list: (kind, query) => listObjects(db, account, kind, query),

    balance() {
      const row = db
        .prepare(
          `SELECT coalesce(sum(json_extract(json, '$.net')), 0) AS cents
           FROM object WHERE kind = 'balance_transaction' AND account IS ?`,
        )
        .get(account);
      return row?.cents as number;
    },
  };
  return objects;
}
