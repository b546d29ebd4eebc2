import { randomUUID } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import type { AccessibleFile } from '../access/file-access.ts';
import type { Database } from '../database/tables.ts';
import { dayOf } from '../lib/time.ts';
import type { DeliveryTable } from '../payments/tables.ts';

/** What a response sent of one file. */
interface SentPart extends AccessibleFile {
  firstByte: number;
  bytesSent: number;
}

type Response = Pick<Selectable<DeliveryTable>, 'outcome' | 'started_at' | 'ended_at'>;

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
            ...{ id: randomUUID(), day, responses: 1, ...response },
            ...{ grant_id: right.grantId, file_key: file.key },
            ...{ first_byte: firstByte, bytes_sent: bytesSent },
          },
        ]
      : [],
  );
  if (rows.length === 0) return;
  await db
    .insertInto('delivery')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['grant_id', 'file_key', 'outcome', 'day']).doUpdateSet({
        responses: sql`delivery.responses + 1`,
        bytes_sent: sql`delivery.bytes_sent + excluded.bytes_sent`,
        first_byte: lesser('first_byte'),
        started_at: lesser('started_at'),
        ended_at: sql`case when excluded.ended_at > delivery.ended_at
          then excluded.ended_at else delivery.ended_at end`,
      }),
    )
    .execute();
}

function lesser(column: 'first_byte' | 'started_at') {
  const [known, added] = [sql.ref(`delivery.${column}`), sql.ref(`excluded.${column}`)];
  return sql<number>`case when ${added} < ${known} then ${added} else ${known} end`;
}
