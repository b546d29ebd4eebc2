import type { Database } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';

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
    await trx
      .updateTable('purchase')
      .set({ buyer_id: id })
      .where('id', 'in', ofEmail)
      // Whoever was given it has the right alone.
      .where('gift_email', 'is', null)
      .execute();
    await trx
      .updateTable('access_grant')
      .set({ buyer_id: id })
      .where('purchase_id', 'in', ofEmail)
      .execute();
    await trx.deleteFrom('awaited_purchase').where('email', '=', email).execute();
  });
}
