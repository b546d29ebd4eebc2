import { type Kysely, sql } from 'kysely';

/** What bounds the rows and bytes that an account, a buyer or a stranger can cause. */
export async function up(db: Kysely<never>): Promise<void> {
  await boundFiles(db);
  await boundBrowsers(db);
  await boundDeliveries(db);
  await boundCheckouts(db);
}

/** How much an account stores is added up for each of its uploads. */
async function boundFiles(db: Kysely<never>): Promise<void> {
  await db.schema
    .createIndex('file_size_of_owner')
    .on('file')
    .columns(['owner_id', 'size_bytes', 'finished_at'])
    .execute();
  await db.schema.createIndex('file_of_link').on('file').column('link_id').execute();
  await db.schema.alterTable('unneeded_blob').addColumn('owner_id', 'text').execute();
  await db.schema.alterTable('unneeded_blob').addColumn('size_bytes', 'bigint').execute();
  await db.schema
    .createIndex('unneeded_blob_of_owner')
    .on('unneeded_blob')
    .columns(['owner_id', 'size_bytes'])
    .execute();
}

/** Of the browsers that hold a grant, the latest are kept. */
async function boundBrowsers(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('grant_claim')
    .addColumn('claimed_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createIndex('grant_claim_of_grant')
    .on('grant_claim')
    .columns(['grant_id', 'claimed_at'])
    .execute();
}

/** What was recorded for each response until now stays as it is: its day is null. */
async function boundDeliveries(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('delivery').addColumn('day', 'integer').execute();
  await db.schema
    .alterTable('delivery')
    .addColumn('responses', 'integer', (column) => column.notNull().defaultTo(1))
    .execute();
  await db.schema.dropIndex('delivery_of_grant').execute();
  await db.schema
    .createIndex('delivery_of_day')
    .unique()
    .on('delivery')
    .columns(['grant_id', 'file_key', 'outcome', 'day'])
    .execute();
}

/** Checkouts that nobody paid, and events that were handled, are swept after a while. */
async function boundCheckouts(db: Kysely<never>): Promise<void> {
  for (const table of ['link_statistics', 'seller_day'] as const) {
    await db.schema
      .alterTable(table)
      .addColumn('swept_checkouts', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
  }
  await db.schema
    .createIndex('purchase_unpaid')
    .on('purchase')
    .column('expires_at')
    .where(sql<boolean>`settled_at is null`)
    .execute();
  await db.schema
    .createIndex('webhook_event_handled')
    .on('webhook_event')
    .column('handled_at')
    .where(sql<boolean>`handled_at is not null`)
    .execute();
  await db.schema
    .createIndex('webhook_event_unhandled')
    .on('webhook_event')
    .column('received_at')
    .where(sql<boolean>`handled_at is null`)
    .execute();
}
