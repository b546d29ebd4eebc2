import type { Kysely } from 'kysely';
import type { Tables } from '../../../domain/tables.ts';

/** The hourly sweep asks for deleted links: a few among many. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createIndex('link_deleted')
    .on('link')
    .column('deleted_at')
    .where('deleted_at', 'is not', null)
    .execute();
}
