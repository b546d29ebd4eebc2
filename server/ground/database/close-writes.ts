import { type Kysely, sql } from 'kysely';
import { listTables } from './carry-rows.ts';
import { CLOSED, dialectOf, hasTable } from './dialect.ts';
import type { Database, Tables } from './tables.ts';
import { transaction } from './transaction.ts';

/** One row while the database takes no writes: for everybody who has it open, and after a restart. */
interface MoveTable {
  name: 'move';
  /** Where to, in words for the operator. */
  place: string;
  /** 1 where the database is moved as well, 0 where the files are alone. */
  takes_database: number;
  begun_at: number;
  /** Null until everything is there. */
  moved_at: number | null;
}

declare module './tables.ts' {
  interface Tables {
    move: MoveTable;
  }
}

export type Move = Pick<MoveTable, 'place' | 'takes_database' | 'begun_at' | 'moved_at'>;

/** The move that has closed a database; also of one whose schema is older. */
export async function findMove(db: Database): Promise<Move | undefined> {
  if (!(await hasTable(db, 'move'))) return undefined;
  return db.selectFrom('move').selectAll().executeTakeFirst();
}

/**
 * Refuses from its commit on every write to whatever would be carried elsewhere, whoever writes, with
 * a BeingMovedError. What was begun before is waited for. Counts that mean nothing elsewhere go on.
 */
export async function closeWrites(
  db: Kysely<Tables>,
  move: Pick<Move, 'place' | 'takes_database' | 'begun_at'>,
): Promise<void> {
  await transaction(db, async (trx) => {
    await openTables(trx);
    const tables = await listTables(trx);
    await (dialectOf(trx) === 'sqlite' ? closeSqlite(trx, tables) : closePostgres(trx, tables));
    const state = { ...move, moved_at: null };
    await trx
      .insertInto('move')
      .values({ name: 'move', ...state })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(state))
      .execute();
  });
}

/** Lets everybody write again. */
export async function openWrites(db: Kysely<Tables>): Promise<void> {
  await transaction(db, async (trx) => {
    await openTables(trx);
    await trx.deleteFrom('move').execute();
  });
}

async function openTables(trx: Database): Promise<void> {
  if (dialectOf(trx) === 'postgres') {
    await sql`drop function if exists refuse_writes() cascade`.execute(trx);
    return;
  }
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_master where type = 'trigger' and name like 'closed\\_%' escape '\\'`.execute(
    trx,
  );
  for (const { name } of rows) await sql`drop trigger ${sql.id(name)}`.execute(trx);
}

const WRITES = ['insert', 'update', 'delete'];

async function closeSqlite(trx: Database, tables: string[]): Promise<void> {
  for (const table of tables) {
    for (const write of WRITES) {
      await sql`create trigger ${sql.id(`closed_${table}_${write}`)}
        before ${sql.raw(write)} on ${sql.table(table)}
        begin select raise(abort, ${sql.lit(CLOSED.message)}); end`.execute(trx);
    }
  }
}

/** By row, as on SQLite: what would change nothing is not refused. */
async function closePostgres(trx: Database, tables: string[]): Promise<void> {
  // Whoever waits for a lock holds up everybody behind it.
  await sql`set local lock_timeout = '5s'`.execute(trx);
  await sql`create function refuse_writes() returns trigger language plpgsql as ${sql.lit(
    `begin raise exception using errcode = '${CLOSED.code}', message = '${CLOSED.message}'; end`,
  )}`.execute(trx);
  for (const table of tables) {
    await sql`create trigger closed before insert or update or delete on ${sql.table(table)}
      for each row execute function refuse_writes()`.execute(trx);
  }
}
