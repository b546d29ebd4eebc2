import type { Kysely } from 'kysely';
import type { Tables } from '../../../domain/tables.ts';

/** What the readiness check writes. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable('probe')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('written_at', 'bigint', (column) => column.notNull())
    .execute();
}
