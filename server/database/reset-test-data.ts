import { createAppendOnlyTriggers, dropAppendOnlyTriggers } from './append-only-triggers.ts';
import type { Database, DatabaseTransaction } from './tables.ts';

/** Removes every purchase, grant, entry and balance of test mode, so that live payments may begin. */
export async function resetTestData(db: Database): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await dropAppendOnlyTriggers(transaction as never);
    await removeLedger(transaction);
    await removePurchases(transaction);
    await transaction.deleteFrom('webhook_event').where('mode', '=', 'test').execute();
    await createAppendOnlyTriggers(transaction as never);
  });
}

async function removeLedger(transaction: DatabaseTransaction): Promise<void> {
  await transaction
    .deleteFrom('ledger_line')
    .where('entry_id', 'in', (select) =>
      select.selectFrom('ledger_entry').where('mode', '=', 'test').select('id'),
    )
    .execute();
  await transaction.deleteFrom('ledger_entry').where('mode', '=', 'test').execute();
  await transaction.deleteFrom('user_balance').where('mode', '=', 'test').execute();
}

async function removePurchases(transaction: DatabaseTransaction): Promise<void> {
  const grants = transaction
    .selectFrom('access_grant')
    .innerJoin('purchase', 'purchase.id', 'access_grant.purchase_id')
    .where('purchase.mode', '=', 'test')
    .select('access_grant.id');
  await transaction.deleteFrom('delivery').where('grant_id', 'in', grants).execute();
  await transaction.deleteFrom('grant_claim').where('grant_id', 'in', grants).execute();
  await transaction.deleteFrom('access_grant').where('id', 'in', grants).execute();
  await transaction
    .deleteFrom('purchase_file')
    .where('purchase_id', 'in', (select) =>
      select.selectFrom('purchase').where('mode', '=', 'test').select('id'),
    )
    .execute();
  await transaction.deleteFrom('purchase').where('mode', '=', 'test').execute();
  // A receipt or event still waiting belongs to what is removed, unless there is more.
  const left = await transaction.selectFrom('purchase').select('id').limit(1).executeTakeFirst();
  if (left) return;
  await transaction.deleteFrom('job').execute();
  // Test and live never mix: what is counted of this database is what is removed.
  await transaction.deleteFrom('link_statistics').execute();
  await transaction.deleteFrom('seller_day').execute();
}
