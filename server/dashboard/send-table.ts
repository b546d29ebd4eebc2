import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { writeRow } from '../lib/csv.ts';
import { isoTime } from '../lib/time.ts';
import { createTurns } from '../lib/turns.ts';

interface Table {
  /** What the file is called, before the day. */
  name: string;
  /** UTC milliseconds. */
  madeAt: number;
  columns: string[];
}

/** SQLite answers at once: without turns, nobody else would be served before the last piece. */
const takeTurn = createTurns();

/**
 * Sends rows as a file for spreadsheets. A piece is asked for when the one before it is on its way,
 * and after other requests had their turn: so many rows cost no more memory than few.
 */
export function sendTable(
  reply: FastifyReply,
  { name, madeAt, columns }: Table,
  pieces: AsyncIterable<string[][]>,
): FastifyReply {
  const day = isoTime(madeAt).slice(0, 10);
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="padlink-${name}-${day}.csv"`)
    .header('cache-control', 'private, no-store')
    .send(Readable.from(write(columns, pieces), { objectMode: false }));
}

async function* write(columns: string[], pieces: AsyncIterable<string[][]>) {
  // Spreadsheets know UTF-8 by the mark at its beginning.
  yield Buffer.from(`\ufeff${writeRow(columns)}`);
  for await (const rows of pieces) {
    yield Buffer.from(rows.map(writeRow).join(''));
    await takeTurn();
  }
}
