import { createAppendOnlyTriggers, dropAppendOnlyTriggers } from './append-only-triggers.ts';
import type { Database, DatabaseTransaction } from './tables.ts';
import { transaction } from './transaction.ts';

/**
 * Removes every purchase, grant, entry and balance of test mode, so that live payments can begin.
 */
export async function resetTestData(db: Database): Promise<void> {
  await transaction(db, async (trx) => {
    await dropAppendOnlyTriggers(trx as never);
    await removeLedger(trx);
    await removePurchases(trx);
    await trx.deleteFrom('webhook_event').where('mode', '=', 'test').execute();
    await createAppendOnlyTriggers(trx as never);
  });
}

async function removeLedger(trx: DatabaseTransaction): Promise<void> {
  await trx.deleteFrom('provider_transaction').where('mode', '=', 'test').execute();
  await trx.deleteFrom('provider_books').where('mode', '=', 'test').execute();
  await trx
    .deleteFrom('ledger_line')
    .where('entry_id', 'in', (select) =>
      select.selectFrom('ledger_entry').where('mode', '=', 'test').select('id'),
    )
    .execute();
  await trx.deleteFrom('ledger_entry').where('mode', '=', 'test').execute();
  await trx.deleteFrom('user_balance').where('mode', '=', 'test').execute();
  await trx.deleteFrom('reserve').where('mode', '=', 'test').execute();
}

async function removePurchases(trx: DatabaseTransaction): Promise<void> {
  const grants = trx
    .selectFrom('access_grant')
    .innerJoin('purchase', 'purchase.id', 'access_grant.purchase_id')
    .where('purchase.mode', '=', 'test')
    .select('access_grant.id');
  await trx.deleteFrom('delivery').where('grant_id', 'in', grants).execute();
  await trx.deleteFrom('delivered_file').where('grant_id', 'in', grants).execute();
  await trx.deleteFrom('access_code').where('grant_id', 'in', grants).execute();
  await trx.deleteFrom('grant_claim').where('grant_id', 'in', grants).execute();
  await trx.deleteFrom('access_grant').where('id', 'in', grants).execute();
  await trx.deleteFrom('purchase').where('mode', '=', 'test').execute();
  // A receipt or event still waiting belongs to what is removed, unless there is more.
  const left = await trx.selectFrom('purchase').select('id').limit(1).executeTakeFirst();
  if (left) return;
  await trx.deleteFrom('job').execute();
  // Test and live never mix: all statistics in this database are of what is removed.
  await trx.deleteFrom('link_statistics').execute();
  await trx.deleteFrom('seller_day').execute();
}
