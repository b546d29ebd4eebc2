import type { Kysely } from 'kysely';
import type { Tables } from '../../../domain/tables.ts';

/** What a link shows to buyers besides its title: words, a picture, and who sells it. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema.alterTable('link').addColumn('description', 'text').execute();
  await db.schema
    .alterTable('link')
    .addColumn('noindex', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  // The name of a blob; an address finds the link by it.
  await db.schema.alterTable('link').addColumn('cover', 'text').execute();
  await db.schema.alterTable('link').addColumn('cover_width', 'integer').execute();
  await db.schema.alterTable('link').addColumn('cover_height', 'integer').execute();
  await db.schema
    .createIndex('link_cover')
    .unique()
    .on('link')
    .column('cover')
    .where('cover', 'is not', null)
    .execute();
  await db.schema
    .createTable('seller')
    .addColumn('owner_id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text')
    .addColumn('version', 'integer', (column) => column.notNull())
    .execute();
}
