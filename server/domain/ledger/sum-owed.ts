import type { Database } from '../tables.ts';

/** Cents owed to a creator, pending ones included; negative when the creator owes them. */
export async function sumOwed(db: Database, ownerId: string): Promise<number> {
  const balances = await db
    .selectFrom('user_balance')
    .where('owner_id', '=', ownerId)
    .select('balance_cents')
    .execute();
  return balances.reduce((sum, { balance_cents }) => sum + balance_cents, 0);
}
