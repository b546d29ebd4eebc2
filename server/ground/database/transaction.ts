import type { Change, Publish } from '../lib/changes.ts';
import type { Note } from '../lib/notes.ts';
import type { Database, DatabaseTransaction } from './tables.ts';

/** Who is told of what is committed on an opened database. */
const publishers = new WeakMap<Database, Publish>();
/** Who is told of what is noted on an opened database. */
const noters = new WeakMap<Database, (note: Note) => void>();
/** Of a transaction that is still open, by its handle. */
interface Pending {
  /** What is left to do before it commits. */
  last: Partial<Record<Last, (() => Promise<void>)[]>>;
  /** The handle that it commits to. */
  opened: Database;
  /** What to tell of it. */
  said: ((committed: Database) => void)[];
  /** What is called where it is not committed. */
  undone: (() => void)[];
}
const pending = new WeakMap<Database, Pending>();

/**
 * What is written last, in this order whoever comes first: rows that many transactions wait for, of
 * which everybody locks the same kinds one after the other.
 */
const LAST = ['notices', 'jobs', 'sums', 'counts', 'sources'] as const;
export type Last = (typeof LAST)[number];

/** Names who is told of what is announced on a database. Without, nobody is: in commands, tests. */
export function publishBy(db: Database, publish: Publish): void {
  publishers.set(db, publish);
}

/** Names who is told, in this process alone, of what is noted on a database. */
export function noteBy(db: Database, tell: (note: Note) => void): void {
  noters.set(db, tell);
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
  if (pending.has(db)) return work(db as DatabaseTransaction);
  const said: Pending['said'] = [];
  const undone: Pending['undone'] = [];
  const run = db.transaction().execute(async (trx) => {
    const last: Pending['last'] = { notices: [], jobs: [], sums: [], counts: [], sources: [] };
    pending.set(trx, { last, opened: db, said, undone });
    const done = await work(trx);
    for (const kind of LAST) {
      for (const finish of last[kind] ?? []) await finish();
      delete last[kind];
    }
    return done;
  });
  const result = await run.catch((error: unknown) => {
    for (const tell of undone) tell();
    throw error;
  });
  for (const tell of said) tell(db);
  return result;
}

function openTransaction(trx: DatabaseTransaction): Pending {
  const open = pending.get(trx);
  if (!open) throw new Error('Something was left to the end of a transaction that nobody ends');
  return open;
}

/** The handle that a transaction commits to. */
export const openedOf = (trx: DatabaseTransaction): Database => openTransaction(trx).opened;

/**
 * Leaves work to the end of a transaction that `transaction` began: what its rows would hold up
 * longer, or in another order than everybody else locks them. Of one kind, the rows of several owners
 * are to be left in the order of their owners.
 * @throws Error in any other
 */
export function beforeCommit(
  trx: DatabaseTransaction,
  kind: Last,
  finish: () => Promise<void>,
): void {
  const others = openTransaction(trx).last[kind];
  if (!others) throw new Error(`Something was left to the end after all ${kind} were written`);
  others.push(finish);
}

/**
 * Announces what was just written through this handle: at once when that is committed, and for a
 * transaction's after its commit. Whoever writes announces, so that no caller has to.
 * @throws Error in a transaction that `transaction` did not begin
 */
export function announce(db: Database, change: Change): void {
  whenCommitted(db, (committed) => publishers.get(committed)?.(change));
}

/**
 * Notes what was just written through this handle, for the log and the figures: told like what is
 * announced, and to this process alone.
 * @throws Error in a transaction that `transaction` did not begin
 */
export function note(db: Database, said: Note): void {
  whenCommitted(db, (committed) => noters.get(committed)?.(said));
}

/** Calls back where a transaction that `transaction` began is not committed, or not known to be. */
export function whenUndone(trx: DatabaseTransaction, tell: () => void): void {
  openTransaction(trx).undone.push(tell);
}

/**
 * Tells of what was just written through this handle, once it is committed.
 * @param tell is given the opened database
 * @throws Error in a transaction that `transaction` did not begin
 */
export function whenCommitted(db: Database, tell: (committed: Database) => void): void {
  const open = pending.get(db);
  if (open) open.said.push(tell);
  else if (db.isTransaction) throw new Error('A change was announced that nobody will publish');
  else tell(db);
}
