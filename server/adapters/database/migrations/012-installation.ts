import type { Kysely } from 'kysely';

/** What tells an installation from others, and the blobs that this database itself gave up. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('installation')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('unneeded_blob')
    .addColumn('blob', 'text', (column) => column.primaryKey())
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('quarantined_at', 'bigint')
    .execute();
}
