import type { Database } from '../database/tables.ts';
import { transaction } from '../database/transaction.ts';

/**
 * Gives an account, whose address is confirmed, what one with this address bought at the
 * installation that a seller was imported from.
 */
export async function giveAwaitedPurchases(
  db: Database,
  { id, email }: { id: string; email: string },
): Promise<void> {
  const awaited = await db
    .selectFrom('awaited_purchase')
    .where('email', '=', email)
    .select('purchase_id')
    .execute();
  if (awaited.length === 0) return;
  await transaction(db, async (trx) => {
    const ofEmail = trx
      .selectFrom('awaited_purchase')
      .where('email', '=', email)
      .select('purchase_id');
    for (const [table, column] of OWNED) {
      await trx.updateTable(table).set({ buyer_id: id }).where(column, 'in', ofEmail).execute();
    }
    await trx.deleteFrom('awaited_purchase').where('email', '=', email).execute();
  });
}

const OWNED = [
  ['purchase', 'id'],
  ['access_grant', 'purchase_id'],
] as const;
