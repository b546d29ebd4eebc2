import { type Kysely, sql } from 'kysely';

/** A purchase keeps its own list of files: those that its link held at checkout. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('purchase_file')
    .addColumn('purchase_id', 'text', (column) => column.notNull().references('purchase.id'))
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('file_key', 'text', (column) => column.notNull().references('file.key'))
    .addPrimaryKeyConstraint('purchase_file_key', ['purchase_id', 'position'])
    .execute();
  // Until now a buyer had whatever the link held.
  await sql`
    insert into purchase_file (purchase_id, position, file_key)
    select p.id, f.position, f.file_key
    from purchase p join link_file f on f.link_id = p.link_id`.execute(db);
  await db.schema
    .createIndex('purchase_file_of_file')
    .on('purchase_file')
    .column('file_key')
    .execute();
  // Each new upload asks how much room the running ones will take.
  await db.schema
    .createIndex('file_unfinished')
    .on('file')
    .columns(['blob', 'size_bytes'])
    .where(sql<boolean>`finished_at is null`)
    .execute();
}
