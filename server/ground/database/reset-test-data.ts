import { createAppendOnlyTriggers, dropAppendOnlyTriggers } from './append-only-triggers.ts';
import { writeInstallation } from './installation.ts';
import type { Database, DatabaseTransaction } from './tables.ts';
import { transaction } from './transaction.ts';

/**
 * Removes every purchase, grant, entry and balance of test mode, so that live payments can begin.
 * @param now UTC milliseconds; checkouts that began before are not recovered as lost ones
 * @returns how many purchases and entries there were
 */
export async function resetTestData(
  db: Database,
  now: number,
): Promise<{ purchases: number; entries: number }> {
  return transaction(db, async (trx) => {
    await dropAppendOnlyTriggers(trx as never);
    const entries = await removeLedger(trx);
    const purchases = await removePurchases(trx);
    await trx.deleteFrom('webhook_event').where('mode', '=', 'test').execute();
    await createAppendOnlyTriggers(trx as never);
    await writeInstallation(trx, 'test-reset', String(now));
    return { purchases, entries };
  });
}

/** @returns how many entries there were */
async function removeLedger(trx: DatabaseTransaction): Promise<number> {
  await trx.deleteFrom('provider_transaction').where('mode', '=', 'test').execute();
  await trx.deleteFrom('provider_books').where('mode', '=', 'test').execute();
  await trx
    .deleteFrom('ledger_line')
    .where('entry_id', 'in', (select) =>
      select.selectFrom('ledger_entry').where('mode', '=', 'test').select('id'),
    )
    .execute();
  const removed = await trx
    .deleteFrom('ledger_entry')
    .where('mode', '=', 'test')
    .executeTakeFirst();
  await trx.deleteFrom('user_balance').where('mode', '=', 'test').execute();
  await trx.deleteFrom('sales_in_time').where('mode', '=', 'test').execute();
  await trx.deleteFrom('reserve').where('mode', '=', 'test').execute();
  await trx.deleteFrom('payout').where('mode', '=', 'test').execute();
  await trx.deleteFrom('payout_account').where('mode', '=', 'test').execute();
  return Number(removed.numDeletedRows);
}

/** @returns how many there were */
async function removePurchases(trx: DatabaseTransaction): Promise<number> {
  const grants = trx
    .selectFrom('access_grant')
    .innerJoin('purchase', 'purchase.id', 'access_grant.purchase_id')
    .where('purchase.mode', '=', 'test')
    .select('access_grant.id');
  await trx.deleteFrom('delivery').where('grant_id', 'in', grants).execute();
  await trx.deleteFrom('delivered_file').where('grant_id', 'in', grants).execute();
  await trx.deleteFrom('access_code').where('grant_id', 'in', grants).execute();
  await trx.deleteFrom('grant_claim').where('grant_id', 'in', grants).execute();
  await trx.deleteFrom('earlier_personal_link').where('grant_id', 'in', grants).execute();
  await trx.deleteFrom('access_grant').where('id', 'in', grants).execute();
  const ofTest = trx.selectFrom('purchase').where('mode', '=', 'test').select('id');
  await trx.deleteFrom('awaited_purchase').where('purchase_id', 'in', ofTest).execute();
  await trx.deleteFrom('refund').where('purchase_id', 'in', ofTest).execute();
  await trx.deleteFrom('dispute').where('purchase_id', 'in', ofTest).execute();
  // Keys of sellers' own lists are for sale again; generated ones, which differ from their lookup, go.
  const given = trx.selectFrom('license_key').where('purchase_id', 'in', ofTest).select('id');
  await trx.deleteFrom('license_activation').where('key_id', 'in', given).execute();
  await trx
    .updateTable('license_key')
    .set({ purchase_id: null, given_at: null })
    .where('purchase_id', 'in', ofTest)
    .whereRef('key', '=', 'lookup')
    .execute();
  const paid = trx.selectFrom('purchase').where('mode', '=', 'test').select('payment_id');
  await trx.deleteFrom('payment').where('id', 'in', paid).execute();
  const removed = await trx.deleteFrom('purchase').where('mode', '=', 'test').executeTakeFirst();
  const purchases = Number(removed.numDeletedRows);
  // A receipt or event still waiting belongs to what is removed, unless there is more.
  const left = await trx.selectFrom('purchase').select('id').limit(1).executeTakeFirst();
  if (left) return purchases;
  await trx.deleteFrom('job').execute();
  await trx.deleteFrom('hook_message').execute();
  await trx.deleteFrom('gathered_sale').execute();
  await trx.updateTable('notification_choice').set({ gathering_id: null }).execute();
  // Test and live never mix: all statistics in this database are of what is removed.
  await trx.deleteFrom('link_statistics').execute();
  await trx.deleteFrom('link_source').execute();
  await trx.deleteFrom('seller_day').execute();
  await trx.deleteFrom('imported_day').execute();
  return purchases;
}
