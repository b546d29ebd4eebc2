import { sql } from 'kysely';
import type { Database } from '../../ground/database/tables.ts';
import { DAY_MS } from '../../ground/lib/time.ts';

/** How many days a sign-up waits for its address to be confirmed. */
export const UNCONFIRMED_DAYS = 7;

/** So many at a time, that nobody waits for long. */
const MOST_AT_ONCE = 1_000;

/** What an account can have; each is found by its owner. */
const POSSESSIONS = [
  ['link', 'owner_id'],
  ['file', 'owner_id'],
  ['purchase', 'buyer_id'],
  ['user_balance', 'owner_id'],
  ['secret_key', 'owner_id'],
  ['session', 'userId'],
] as const;

/**
 * Removes sign-ups that nobody confirmed, password and all: the address may sign up again. An
 * account that has anything, or whose owner is signed in, is left alone.
 */
export async function sweepUnconfirmed(db: Database, now: number): Promise<void> {
  const unconfirmed = sql<boolean>`"emailVerified" = false`;
  const before = new Date(now - UNCONFIRMED_DAYS * DAY_MS).toISOString();
  const old = db
    .selectFrom('user')
    .select('id')
    .where(unconfirmed)
    .where('createdAt', '<', before)
    .where(({ and }) => and(POSSESSIONS.map(([table, owner]) => hasNone(table, owner))))
    .limit(MOST_AT_ONCE);
  // Asked twice: an address that is confirmed at this moment stays.
  await db.deleteFrom('user').where(unconfirmed).where('id', 'in', old).execute();
}

function hasNone(table: string, owner: string) {
  return sql<boolean>`not exists (
    select 1 from ${sql.table(table)} where ${sql.ref(`${table}.${owner}`)} = ${sql.ref('user.id')})`;
}
