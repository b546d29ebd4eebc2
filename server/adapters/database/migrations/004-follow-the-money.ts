import { type Kysely, sql } from 'kysely';
import { createAppendOnlyTriggers, dropAppendOnlyTriggers } from '../append-only-triggers.ts';

export async function up(db: Kysely<never>): Promise<void> {
  await nameTheSaleOfEachLine(db);
  await openOneCheckoutOnly(db);
  await sql`update job set kind = 'review-payment' where kind = 'review-grant'`.execute(db);
}

/** So that what is pending is read from one short range of an index, at any age of the books. */
async function nameTheSaleOfEachLine(db: Kysely<never>): Promise<void> {
  await dropAppendOnlyTriggers(db);
  await db.schema.alterTable('ledger_line').addColumn('sold_at', 'bigint').execute();
  // Until now the books held nothing but sales.
  await sql`
    update ledger_line set sold_at =
      (select e.created_at from ledger_entry e where e.id = ledger_line.entry_id)
    where owner_id is not null`.execute(db);
  await createAppendOnlyTriggers(db);
  await db.schema.dropIndex('ledger_line_of_owner').execute();
  await db.schema
    .createIndex('ledger_line_of_owner')
    .on('ledger_line')
    .columns(['owner_id', 'sold_at'])
    .execute();
  await db.schema
    .createIndex('ledger_entry_of_purchase')
    .on('ledger_entry')
    .column('purchase_id')
    .execute();
}

/** A session that was paid all the same still settles: the state 'expired' does not forbid it. */
async function openOneCheckoutOnly(db: Kysely<never>): Promise<void> {
  for (const visitor of ['claim_hash', 'buyer_id']) {
    await sql`
      update purchase set state = 'expired' where state = 'open' and exists (
        select 1 from purchase newer
        where newer.${sql.ref(visitor)} = purchase.${sql.ref(visitor)}
          and newer.link_id = purchase.link_id and newer.state = 'open'
          and (newer.created_at > purchase.created_at
            or (newer.created_at = purchase.created_at and newer.id > purchase.id)))`.execute(db);
    await db.schema
      .createIndex(`purchase_open_of_${visitor}`)
      .on('purchase')
      .columns([visitor, 'link_id'])
      .unique()
      .where(sql<boolean>`state = 'open'`)
      .execute();
  }
  await db.schema
    .createIndex('purchase_of_buyer')
    .on('purchase')
    .columns(['buyer_id', 'link_id'])
    .where(sql<boolean>`buyer_id is not null`)
    .execute();
}
