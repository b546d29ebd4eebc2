import { type Kysely, sql } from 'kysely';
import { dialectOf } from '../dialect.ts';

/** What lists are read by: with the unlisted links apart, however many there are. */
const ORDERS = {
  link_newest: ['created_at', 'id'],
  link_of_owner: ['owner_id', 'created_at', 'id'],
  link_of_type: ['type', 'created_at', 'id'],
  link_price: ['price_cents', 'created_at', 'id'],
  link_price_of_owner: ['owner_id', 'price_cents', 'created_at', 'id'],
  link_price_of_type: ['type', 'price_cents', 'created_at', 'id'],
};

/** A creator may keep a link out of every list. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('link')
    .addColumn('unlisted', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  for (const [name, columns] of Object.entries(ORDERS)) {
    await db.schema.dropIndex(name).execute();
    await db.schema
      .createIndex(name)
      .on('link')
      .columns(['unlisted', ...columns])
      .where(sql<boolean>`deleted_at is null and taken_down_at is null`)
      .execute();
  }
  // Its planner would take a column that it knows nothing of for a rare one.
  if (dialectOf(db) === 'postgres') await sql`analyze link`.execute(db);
}
