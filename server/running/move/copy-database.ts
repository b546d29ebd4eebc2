import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import {
  insertRows,
  listTables,
  type Row,
  readRows,
  withSnapshot,
} from '../../ground/database/carry-rows.ts';
import { dialectOf } from '../../ground/database/dialect.ts';
import type { Database, DatabaseTransaction } from '../../ground/database/tables.ts';
import { MoveRefused } from '../installation/move-storage.ts';

/** What a table holds, whatever order and database its rows are read in. */
interface Sum {
  rows: number;
  /** Of the SHA-256 of all rows. */
  digest: bigint;
}

export interface Copied {
  tables: number;
  rows: number;
}

/**
 * Copies every row of a database that nobody writes into the empty tables of another one, reads each
 * back, and compares them.
 * @param onRow told of each row
 * @throws MoveRefused when something did not arrive as it was
 */
export async function copyDatabase(
  from: Database,
  trx: DatabaseTransaction,
  onRow: () => void,
): Promise<Copied> {
  const sums = await withSnapshot(from, async (snapshot) => {
    const found = new Map<string, Sum>();
    const homes = new Set(await listTables(trx));
    for (const table of await listTables(snapshot)) {
      if (!homes.has(table)) {
        throw new MoveRefused(`There is no table ${table} in this version of Padlink.`);
      }
      const sum = { rows: 0, digest: 0n };
      await insertRows(trx, table, summed(readRows(snapshot, table), sum, onRow));
      found.set(table, sum);
    }
    return found;
  });
  const copied = { tables: 0, rows: 0 };
  for (const [table, { rows, digest }] of sums) {
    const arrived = { rows: 0, digest: 0n };
    for await (const _row of summed(readRows(trx, table), arrived, onRow));
    if (arrived.rows !== rows || arrived.digest !== digest) {
      throw new MoveRefused(
        `The table ${table} did not arrive as it was: ${arrived.rows} of ${rows} rows were read back.`,
      );
    }
    copied.tables += 1;
    copied.rows += rows;
  }
  if (dialectOf(trx) === 'postgres') {
    // What triggers keep at the end of a transaction is looked at before it.
    await sql`set constraints all immediate`.execute(trx);
    // Nobody has counted these rows yet, and the first plans would be made for empty tables.
    await sql`analyze`.execute(trx);
  }
  return copied;
}

async function* summed(rows: AsyncIterable<Row>, sum: Sum, onRow: () => void): AsyncGenerator<Row> {
  for await (const read of rows) {
    const row: Row = JSON.parse(JSON.stringify(read));
    sum.rows += 1;
    sum.digest = (sum.digest + digestOf(row)) & MASK;
    onRow();
    yield row;
  }
}

const MASK = (1n << 256n) - 1n;

/** Flags are of another type on each database. */
function digestOf(row: Row): bigint {
  const values = Object.keys(row)
    .sort()
    .map((name) => [name, typeof row[name] === 'boolean' ? Number(row[name]) : row[name]]);
  return BigInt(`0x${createHash('sha256').update(JSON.stringify(values)).digest('hex')}`);
}
