import { randomUUID } from 'node:crypto';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { StoredFile } from '../../files/tables.ts';
import { prepare } from '../../ground/database/prepare.ts';
import type { Database } from '../../ground/database/tables.ts';
import { note } from '../../ground/database/transaction.ts';
import { dayOf } from '../../ground/lib/time.ts';
import type { AccessibleFile } from '../../selling/access/file-access.ts';
import { wasFileSold } from '../../selling/purchases/sold-parts.ts';
import type { DeliveryTable } from '../../selling/purchases/tables.ts';

/** What a response sent of one file. */
interface SentPart extends AccessibleFile {
  firstByte: number;
  bytesSent: number;
}

type Response = Pick<
  Selectable<DeliveryTable>,
  'outcome' | 'started_at' | 'ended_at' | 'address' | 'browser'
>;

/**
 * Adds to what was actually sent for grants on a day: the proof of delivery in a dispute.
 * @param parts of different files
 */
export async function recordDelivery(
  db: Database,
  parts: SentPart[],
  response: Response,
): Promise<void> {
  const day = dayOf(response.started_at);
  const rows = parts.flatMap(({ file, right, firstByte, bytesSent }) =>
    right.kind === 'grant'
      ? [
          {
            id: randomUUID(),
            day,
            responses: 1,
            ...response,
            grant_id: right.grantId,
            file_key: file.key,
            first_byte: firstByte,
            bytes_sent: bytesSent,
          },
        ]
      : [],
  );
  if (rows.length === 0) return;
  await insertDeliveries(db, rows);
  for (const { file, right, firstByte, bytesSent } of parts) {
    if (right.kind !== 'grant') continue;
    const { outcome } = response;
    const link = file.link_id;
    note(db, { kind: 'delivered', grant: right.grantId, link, outcome, bytes: bytesSent });
    if (bytesSent === 0) continue;
    await countBytes(db, right.grantId, file, [firstByte, firstByte + bytesSent]);
  }
}

const insertDeliveries = prepare((db, rows: Insertable<DeliveryTable>[]) =>
  db
    .insertInto('delivery')
    .values(
      rows.map((row) => ({
        id: row.id,
        grant_id: row.grant_id,
        file_key: row.file_key,
        day: row.day,
        responses: row.responses,
        first_byte: row.first_byte,
        bytes_sent: row.bytes_sent,
        outcome: row.outcome,
        started_at: row.started_at,
        ended_at: row.ended_at,
        address: row.address,
        browser: row.browser,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['grant_id', 'file_key', 'outcome', 'day']).doUpdateSet({
        responses: sql`delivery.responses + 1`,
        bytes_sent: sql`delivery.bytes_sent + excluded.bytes_sent`,
        first_byte: lesser('first_byte'),
        started_at: lesser('started_at'),
        ended_at: sql`case when excluded.ended_at > delivery.ended_at
          then excluded.ended_at else delivery.ended_at end`,
      }),
    ),
);

function lesser(column: 'first_byte' | 'started_at') {
  const [known, added] = [sql.ref(`delivery.${column}`), sql.ref(`excluded.${column}`)];
  return sql<number>`case when ${added} < ${known} then ${added} else ${known} end`;
}

/** From the first byte to the one after the last. */
type Range = [first: number, end: number];

/** More gaps than any download program leaves; what is beyond is sent and not counted. */
const MAX_RANGES = 100;

/**
 * Counts bytes of a file that were sent for a grant, each once, however often it was: parallel,
 * resumed and repeated parts add up to the file.
 */
export async function countBytes(
  db: Database,
  grantId: string,
  file: Pick<StoredFile, 'key' | 'size_bytes'>,
  sent: Range,
): Promise<void> {
  const whole: Range = [0, file.size_bytes];
  if (sent[0] === 0 && sent[1] === whole[1]) {
    await insertWhole(db, grantId, file.key, counted([whole]));
    return;
  }
  const known = db
    .selectFrom('delivered_file')
    .where('grant_id', '=', grantId)
    .where('file_key', '=', file.key);
  // Whoever counts at the same time changes the row in between: then once more.
  for (;;) {
    const row = await known.select('ranges').executeTakeFirst();
    if (!row) {
      const insert = insertRanges(db, grantId, file.key, counted([sent]));
      const { numInsertedOrUpdatedRows: inserted } = await insert
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (inserted) return;
      continue;
    }
    const merged = counted(mergeRanges([...(JSON.parse(row.ranges) as Range[]), sent]));
    if (merged.ranges === row.ranges) return;
    const { numUpdatedRows } = await db
      .updateTable('delivered_file')
      .set(merged)
      .where('grant_id', '=', grantId)
      .where('file_key', '=', file.key)
      .where('ranges', '=', row.ranges)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) return;
  }
}

const insertRanges = (db: Database, grantId: string, key: string, { ranges, bytes }: Counted) =>
  db.insertInto('delivered_file').values({
    grant_id: grantId,
    file_key: key,
    ranges,
    bytes,
    bought: wasFileSold(sql.val(grantId), sql.val(key)),
  });

const insertWhole = prepare((db, grantId: string, key: string, { ranges, bytes }: Counted) =>
  insertRanges(db, grantId, key, { ranges, bytes }).onConflict((conflict) =>
    conflict.columns(['grant_id', 'file_key']).doUpdateSet({ ranges, bytes }),
  ),
);

type Counted = ReturnType<typeof counted>;

const counted = (ranges: Range[]) => ({
  ranges: JSON.stringify(ranges),
  bytes: ranges.reduce((sum, [first, end]) => sum + end - first, 0),
});

/** In order, without overlaps; of too many, the longest. */
export function mergeRanges(ranges: Range[]): Range[] {
  const merged: Range[] = [];
  for (const [first, end] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = merged.at(-1);
    if (last && first <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([first, end]);
  }
  if (merged.length <= MAX_RANGES) return merged;
  const longest = merged.toSorted((a, b) => b[1] - b[0] - (a[1] - a[0])).slice(0, MAX_RANGES);
  return longest.sort(([a], [b]) => a - b);
}
