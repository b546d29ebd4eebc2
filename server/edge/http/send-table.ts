import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { TABLE_FORM_COOKIE, TABLE_FORMS, type TableForm } from '../../../contract/tables.ts';
import { type Cell, writeRow } from '../../ground/lib/csv.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { isoTime } from '../../ground/lib/time.ts';
import { createTurns } from '../../ground/lib/turns.ts';

interface Table {
  /** What the file is called, before the day. */
  name: string;
  /** UTC milliseconds. */
  madeAt: number;
  columns: Cell[];
  /** Origin. */
  publicUrl: string;
}

export const TABLE_QUERY = z.object({
  form: z
    .enum(TABLE_FORMS)
    .optional()
    .describe(
      'For programs unless given; `comma` or `semicolon` for spreadsheets that separate cells so.',
    ),
});

/** Seconds: a year. */
const KEPT_S = 365 * 24 * 60 * 60;

/** SQLite answers at once: without turns, nobody else would be served before the last piece. */
const takeTurn = createTurns();

/**
 * Sends rows as a file, in the form that the request asks for. A piece is asked for when the one
 * before it is on its way, and after other requests had their turn: so many rows cost no more memory
 * than few.
 * @throws DomainError INVALID_INPUT where there is no such form
 */
export function sendTable(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, madeAt, columns, publicUrl }: Table,
  pieces: AsyncIterable<Cell[][]>,
): FastifyReply {
  const { data: asked } = TABLE_QUERY.safeParse(request.query);
  if (!asked) {
    throw new DomainError(
      'INVALID_INPUT',
      `The form of a table is one of ${TABLE_FORMS.join(', ')}.`,
    );
  }
  if (asked.form) {
    // The pages offer it next time.
    reply.setCookie(TABLE_FORM_COOKIE, asked.form, {
      path: '/dashboard',
      maxAge: KEPT_S,
      sameSite: 'lax',
      httpOnly: true,
      secure: publicUrl.startsWith('https:'),
    });
  }
  const day = isoTime(madeAt).slice(0, 10);
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="padlink-${name}-${day}.csv"`)
    .header('cache-control', 'private, no-store')
    .send(Readable.from(write(columns, pieces, asked.form ?? 'plain'), { objectMode: false }));
}

async function* write(columns: Cell[], pieces: AsyncIterable<Cell[][]>, form: TableForm) {
  // Spreadsheets know UTF-8 by the mark at its beginning.
  yield Buffer.from(`\ufeff${writeRow(columns, form)}`);
  for await (const rows of pieces) {
    yield Buffer.from(rows.map((row) => writeRow(row, form)).join(''));
    await takeTurn();
  }
}
