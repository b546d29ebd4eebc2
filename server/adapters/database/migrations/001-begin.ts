import { type Kysely, sql } from 'kysely';

/** Column types both databases know: text, bigint (SQLite: integer) and integer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await links(db);
  await files(db);
  await purchases(db);
  await ledger(db);
  await outbox(db);
}

async function links(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('link_id')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('owner_id', 'text', (column) => column.notNull())
    .addColumn('reserved_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('link')
    .addColumn('id', 'text', (column) => column.primaryKey().references('link_id.id'))
    .addColumn('owner_id', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('title', 'text')
    .addColumn('key', 'text')
    .addColumn('url', 'text')
    .addColumn('price_cents', 'bigint', (column) => column.notNull())
    .addColumn('unlocked', 'integer', (column) => column.notNull())
    .addColumn('paused', 'integer', (column) => column.notNull())
    .addColumn('size_bytes', 'bigint')
    .addColumn('media_type', 'text')
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('deleted_at', 'bigint')
    .addColumn('taken_down_at', 'bigint')
    .addCheckConstraint('link_price', sql`price_cents > 0`)
    .addCheckConstraint(
      'link_target',
      sql`(type = 'file' and key is not null and url is null)
        or (type = 'link' and url is not null and key is null)`,
    )
    .execute();
  // Explore and dashboard read pages by these keys, newest first, at the same cost at any size.
  const listed = sql<boolean>`deleted_at is null and taken_down_at is null`;
  await db.schema
    .createIndex('link_newest')
    .on('link')
    .columns(['created_at', 'id'])
    .where(listed)
    .execute();
  await db.schema
    .createIndex('link_of_owner')
    .on('link')
    .columns(['owner_id', 'created_at', 'id'])
    .where(listed)
    .execute();
}

async function files(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('file')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('blob', 'text', (column) => column.notNull().unique())
    .addColumn('owner_id', 'text', (column) => column.notNull())
    .addColumn('link_id', 'text', (column) => column.notNull().references('link_id.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('size_bytes', 'bigint', (column) => column.notNull())
    .addColumn('media_type', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('finished_at', 'bigint')
    .execute();
  await db.schema.createIndex('file_of_owner').on('file').columns(['owner_id', 'key']).execute();
  await db.schema
    .createTable('link_file')
    .addColumn('link_id', 'text', (column) => column.notNull().references('link.id'))
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('file_key', 'text', (column) => column.notNull().references('file.key'))
    .addPrimaryKeyConstraint('link_file_key', ['link_id', 'position'])
    .execute();
  await db.schema.createIndex('link_file_of_file').on('link_file').column('file_key').execute();
}

async function purchases(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('purchase')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('link_id', 'text', (column) => column.notNull().references('link.id'))
    .addColumn('seller_id', 'text', (column) => column.notNull())
    .addColumn('buyer_id', 'text')
    .addColumn('claim_hash', 'text', (column) => column.notNull())
    .addColumn('price_cents', 'bigint', (column) => column.notNull())
    .addColumn('fee_cents', 'bigint', (column) => column.notNull())
    .addColumn('currency', 'text', (column) => column.notNull())
    .addColumn('mode', 'text', (column) => column.notNull())
    .addColumn('provider_account', 'text', (column) => column.notNull())
    .addColumn('session_id', 'text', (column) => column.unique())
    .addColumn('checkout_url', 'text')
    .addColumn('payment_intent_id', 'text', (column) => column.unique())
    .addColumn('buyer_email', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('settled_at', 'bigint')
    .addCheckConstraint('purchase_fee', sql`fee_cents >= 0 and fee_cents <= price_cents`)
    .execute();
  await db.schema
    .createIndex('purchase_of_claim')
    .on('purchase')
    .columns(['claim_hash', 'link_id'])
    .execute();
  await db.schema.createIndex('purchase_of_link').on('purchase').column('link_id').execute();
  await db.schema
    .createTable('access_grant')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('purchase_id', 'text', (column) =>
      column.notNull().unique().references('purchase.id'),
    )
    .addColumn('link_id', 'text', (column) => column.notNull().references('link.id'))
    .addColumn('buyer_id', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('access_grant_of_buyer')
    .on('access_grant')
    .columns(['buyer_id', 'link_id'])
    .execute();
  await db.schema
    .createTable('grant_claim')
    .addColumn('claim_hash', 'text', (column) => column.notNull())
    .addColumn('grant_id', 'text', (column) => column.notNull().references('access_grant.id'))
    .addPrimaryKeyConstraint('grant_claim_key', ['claim_hash', 'grant_id'])
    .execute();
  await db.schema
    .createTable('webhook_event')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('mode', 'text', (column) => column.notNull())
    .addColumn('payload', 'text', (column) => column.notNull())
    .addColumn('received_at', 'bigint', (column) => column.notNull())
    .addColumn('handled_at', 'bigint')
    .execute();
  await db.schema
    .createTable('delivery')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('grant_id', 'text', (column) => column.notNull().references('access_grant.id'))
    .addColumn('file_key', 'text', (column) => column.notNull())
    .addColumn('first_byte', 'bigint', (column) => column.notNull())
    .addColumn('bytes_sent', 'bigint', (column) => column.notNull())
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('delivery_of_grant').on('delivery').column('grant_id').execute();
}

async function ledger(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('ledger_entry')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('cause', 'text', (column) => column.notNull().unique())
    .addColumn('mode', 'text', (column) => column.notNull())
    .addColumn('provider_account', 'text', (column) => column.notNull())
    .addColumn('currency', 'text', (column) => column.notNull())
    .addColumn('purchase_id', 'text', (column) => column.references('purchase.id'))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('ledger_line')
    .addColumn('entry_id', 'text', (column) => column.notNull().references('ledger_entry.id'))
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('account', 'text', (column) => column.notNull())
    .addColumn('owner_id', 'text')
    .addColumn('amount_cents', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('ledger_line_key', ['entry_id', 'position'])
    .execute();
  await db.schema
    .createIndex('ledger_line_of_owner')
    .on('ledger_line')
    .column('owner_id')
    .execute();
  await db.schema
    .createTable('user_balance')
    .addColumn('owner_id', 'text', (column) => column.notNull())
    .addColumn('mode', 'text', (column) => column.notNull())
    .addColumn('balance_cents', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('user_balance_key', ['owner_id', 'mode'])
    .execute();
}

async function outbox(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('job')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('payload', 'text', (column) => column.notNull())
    .addColumn('run_at', 'bigint', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('locked_until', 'bigint', (column) => column.notNull())
    .addColumn('died_at', 'bigint')
    .addColumn('last_error', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('job_due')
    .on('job')
    .column('run_at')
    .where(sql<boolean>`died_at is null`)
    .execute();
  await db.schema
    .createTable('mailbox_message')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('to', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('html', 'text', (column) => column.notNull())
    .addColumn('sent_at', 'bigint', (column) => column.notNull())
    .execute();
}
