import type { Change, Publish } from '../lib/changes.ts';
import type { Database, DatabaseTransaction } from './tables.ts';

/** Who is told of what is committed on an opened database. */
const publishers = new WeakMap<Database, Publish>();
/** What was announced in a transaction that is still open. */
const announced = new WeakMap<Database, Change[]>();

/** Names who is told of what is announced on a database. Without, nobody is: in commands, tests. */
export function publishBy(db: Database, publish: Publish): void {
  publishers.set(db, publish);
}

/**
 * Runs work whose changes are committed together, or none of them when it throws. What the work
 * announces on its handle is published after the commit and only then. Inside a transaction it
 * joins that one: what throws there must be left to end it as a whole.
 */
export async function transaction<Result>(
  db: Database,
  work: (trx: DatabaseTransaction) => Promise<Result>,
): Promise<Result> {
  if (announced.has(db)) return work(db as DatabaseTransaction);
  const changes: Change[] = [];
  const result = await db.transaction().execute((trx) => {
    announced.set(trx, changes);
    return work(trx);
  });
  for (const change of changes) announce(db, change);
  return result;
}

/**
 * Announces what was just written through this handle: at once when that is committed, and for a
 * transaction's after its commit. Whoever writes announces, so that no caller has to.
 * @throws Error in a transaction that `transaction` did not begin
 */
export function announce(db: Database, change: Change): void {
  const changes = announced.get(db);
  if (changes) changes.push(change);
  else if (db.isTransaction) throw new Error('A change was announced that nobody will publish');
  else publishers.get(db)?.(change);
}
