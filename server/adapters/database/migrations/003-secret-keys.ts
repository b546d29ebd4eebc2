import { type Kysely, sql } from 'kysely';
import { dialectOf } from '../dialect.ts';

export async function up(db: Kysely<never>): Promise<void> {
  await secretKeys(db);
  if (dialectOf(db) === 'postgres') await orderStorageKeysByBytes(db);
}

async function secretKeys(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('secret_key')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('owner_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('hint', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_used_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute();
  await db.schema
    .createIndex('secret_key_of_owner')
    .on('secret_key')
    .column('owner_id')
    .where(sql<boolean>`revoked_at is null`)
    .execute();
}

/** As SQLite orders text: a list of keys and its next page are the same on both databases. */
async function orderStorageKeysByBytes(db: Kysely<never>): Promise<void> {
  await sql`alter table file alter column key type text collate "C"`.execute(db);
  await sql`alter table link_file alter column file_key type text collate "C"`.execute(db);
}
