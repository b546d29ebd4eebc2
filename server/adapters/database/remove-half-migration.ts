import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Database, Tables } from '../../domain/tables.ts';
import { openSqlite } from './sqlite.ts';

type Migrations = Record<string, Migration>;

/**
 * Earlier versions left a migration of SQLite half done when they were interrupted. The product
 * has never run on what such a migration made, so that it can be removed and made again.
 * @param earlier the migrations that are recorded as done
 * @param later those and the one that was interrupted
 * @throws Error where nothing is recorded although there is data: that no interruption explains
 */
export async function removeHalfMigration(
  db: Database,
  earlier: Migrations,
  later: Migrations,
): Promise<void> {
  const before = await schemaAfter(earlier);
  const after = await schemaAfter(later);
  await db.transaction().execute(async (transaction) => {
    const present = await readSchema(transaction);
    const made = present.filter((part) => has(after, part) && !has(before, part));
    const tables = made.filter(({ kind }) => kind === 'table').map(({ name }) => name);
    if (before.length === 0) await refuseData(transaction, tables);
    for (const part of made) {
      // What is part of a table goes with it.
      if (part.kind !== 'table' && tables.includes(part.table)) continue;
      await sql.raw(dropping(part)).execute(transaction);
    }
    const left = await readSchema(transaction);
    for (const part of before) {
      if (part.definition && !has(left, part)) await sql.raw(part.definition).execute(transaction);
    }
  });
}

async function refuseData(db: Kysely<Tables>, tables: string[]): Promise<void> {
  for (const table of tables) {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db);
    if (rows.length === 0) continue;
    throw new Error(
      'The database holds data but no longer says which version wrote it. Restore a backup.',
    );
  }
}

interface Part {
  kind: 'trigger' | 'index' | 'column' | 'table';
  name: string;
  table: string;
  /** Of triggers and indexes. */
  definition: string | null;
}

function has(schema: Part[], { kind, name, table, definition }: Part): boolean {
  return schema.some(
    (part) =>
      part.kind === kind &&
      part.name === name &&
      part.table === table &&
      part.definition === definition,
  );
}

function dropping({ kind, name, table }: Part): string {
  return kind === 'column'
    ? `alter table "${table}" drop column "${name}"`
    : `drop ${kind} "${name}"`;
}

async function schemaAfter(migrations: Migrations): Promise<Part[]> {
  const db = openSqlite(':memory:');
  try {
    const provider = { getMigrations: async () => migrations };
    const { error } = await new Migrator({ db, provider }).migrateToLatest();
    if (error) throw error;
    return await readSchema(db);
  } finally {
    await db.destroy();
  }
}

/** In an order in which the parts can be removed, without what the migrations are recorded in. */
async function readSchema(db: Kysely<Tables>): Promise<Part[]> {
  const { rows } = await sql<Part>`
    select case type when 'trigger' then 1 else 2 end as step, type as kind, name,
        tbl_name as "table", sql as definition
      from sqlite_master where type in ('trigger', 'index') and sql is not null
    union all
    select 3, 'column', c.name, t.name, null
      from pragma_table_list t join pragma_table_info(t.name) c
      where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite_%'
    union all
    select 4, 'table', name, name, null from pragma_table_list
      where schema = 'main' and type in ('table', 'virtual') and name not like 'sqlite_%'
    order by step`.execute(db);
  return rows.filter(({ table }) => !table.startsWith('kysely_'));
}
