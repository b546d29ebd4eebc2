import { CompiledQuery, type Expression, sql } from 'kysely';
import { DEFAULT_MIGRATION_LOCK_TABLE, DEFAULT_MIGRATION_TABLE } from 'kysely/migration';
import { dialectOf } from './dialect.ts';
import { OF_PLACE } from './installation.ts';
import type { Database } from './tables.ts';

/** A row as JSON has it: times of accounts are ISO 8601, and flags true or false, or 1 or 0. */
export type Row = Record<string, unknown>;

/** What means nothing to another database, or beside another store. */
const NOT_CARRIED = new Set<string>([
  DEFAULT_MIGRATION_TABLE,
  DEFAULT_MIGRATION_LOCK_TABLE,
  'probe',
  'multipart_upload',
  'moved_blob',
  'move',
  'outside_change',
  'lease',
  'shared_count',
  // Kept by triggers of the tables that it sums up, as their rows arrive.
  'file_usage',
]);

/** SQLite's own number of the text in its full-text index, which its triggers fill. */
const NOT_CARRIED_COLUMNS: Record<string, string> = { link_words: 'number' };

const NOT_CARRIED_ROWS: Record<string, (row: Row) => boolean> = {
  installation: ({ name }) => OF_PLACE.some((one) => one === name),
};

const AT_ONCE = 200;

/**
 * Lets work read one moment of the database while others write. On SQLite it holds the connection:
 * nothing else may use the database meanwhile.
 */
export async function withSnapshot<Result>(
  db: Database,
  work: (snapshot: Database) => Promise<Result>,
): Promise<Result> {
  if (dialectOf(db) === 'postgres') {
    const reading = db.transaction().setIsolationLevel('repeatable read');
    return reading.setAccessMode('read only').execute(work);
  }
  return db.connection().execute(async (connection) => {
    // Unlike a transaction of ours, which takes the write lock at once.
    await sql`begin`.execute(connection);
    try {
      return await work(connection);
    } finally {
      await sql`rollback`.execute(connection);
    }
  });
}

/** The tables that are carried, each after those that its rows refer to. */
export async function listTables(db: Database): Promise<string[]> {
  const isSqlite = dialectOf(db) === 'sqlite';
  // Not those that keep SQLite's full-text index.
  const { rows: found } = await (isSqlite
    ? sql<{ name: string }>`
        select name from pragma_table_list
        where schema = 'main' and type = 'table' and name not like 'sqlite_%'`
    : sql<{ name: string }>`
        select tablename as name from pg_tables where schemaname = current_schema()`
  ).execute(db);
  const { rows: references } = await (isSqlite
    ? sql<Reference>`
        select t.name as "from", k."table" as "to"
        from pragma_table_list t join pragma_foreign_key_list(t.name) k`
    : sql<Reference>`
        select source.relname as "from", target.relname as "to"
        from pg_constraint k
        join pg_class source on source.oid = k.conrelid
        join pg_class target on target.oid = k.confrelid
        where k.contype = 'f' and source.relnamespace = current_schema()::regnamespace`
  ).execute(db);
  const names = found.map(({ name }) => name).filter((name) => !NOT_CARRIED.has(name));
  return orderByReferences(names.sort(), references);
}

interface Reference {
  from: string;
  to: string;
}

function orderByReferences(names: string[], references: Reference[]): string[] {
  const ordered = new Set<string>();
  const add = (name: string) => {
    if (ordered.has(name)) return;
    for (const { from, to } of references) if (from === name && to !== name) add(to);
    ordered.add(name);
  };
  for (const name of names) add(name);
  return [...ordered];
}

/** Reads the rows of a table of a snapshot that are carried, a few at a time. */
export async function* readRows(snapshot: Database, table: string): AsyncGenerator<Row> {
  const left = NOT_CARRIED_COLUMNS[table];
  const isLeft = NOT_CARRIED_ROWS[table];
  for await (const row of readQuery(snapshot, sql<Row>`select * from ${sql.table(table)}`)) {
    if (isLeft?.(row)) continue;
    if (left !== undefined) delete row[left];
    yield row;
  }
}

/** Reads what a query of a snapshot finds, a few rows at a time. */
export async function* readQuery(snapshot: Database, query: Expression<Row>): AsyncGenerator<Row> {
  if (dialectOf(snapshot) === 'sqlite') {
    yield* snapshot.selectFrom(sql<Row>`(${query})`.as('found')).selectAll().stream();
    return;
  }
  await sql`declare carried cursor for ${query}`.execute(snapshot);
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(AT_ONCE)} from carried`.execute(snapshot);
    yield* rows;
    if (rows.length < AT_ONCE) break;
  }
  await sql`close carried`.execute(snapshot);
}

/** Inserts rows that either database has read. @returns how many */
export async function insertRows(
  trx: Database,
  table: string,
  rows: AsyncIterable<Row> | Row[],
): Promise<number> {
  let inserted = 0;
  let batch: Row[] = [];
  const insert = dialectOf(trx) === 'sqlite' ? insertIntoSqlite : insertIntoPostgres;
  for await (const row of rows) {
    batch.push(row);
    inserted += 1;
    if (batch.length < AT_ONCE) continue;
    await insert(trx, table, batch);
    batch = [];
  }
  await insert(trx, table, batch);
  return inserted;
}

const listColumns = (row: Row) => Object.keys(row).map((name) => sql.ref(name));

async function insertIntoSqlite(trx: Database, table: string, [first, ...rest]: Row[]) {
  if (!first) return;
  const columns = listColumns(first);
  const { sql: text } = sql`insert into ${sql.table(table)} (${sql.join(columns)})
    values (${sql.join(columns.map(() => sql.raw('?')))})`.compile(trx);
  for (const row of [first, ...rest]) {
    const values = Object.values(row).map((value) =>
      typeof value === 'boolean' ? Number(value) : value,
    );
    await trx.executeQuery(CompiledQuery.raw(text, values));
  }
}

/** Its own reading of JSON knows what each column takes. */
async function insertIntoPostgres(trx: Database, table: string, rows: Row[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const [into, columns] = [sql.table(table), sql.join(listColumns(first))];
  await sql`insert into ${into} (${columns}) select ${columns}
    from json_populate_recordset(null::${into}, ${JSON.stringify(rows)}::json)`.execute(trx);
}
