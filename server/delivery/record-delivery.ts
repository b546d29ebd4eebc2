import { randomUUID } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import { dayOf } from '../lib/time.ts';
import type { DeliveryTable } from '../payments/tables.ts';

type Response = Omit<Selectable<DeliveryTable>, 'id' | 'day' | 'responses'>;

/** Adds to what was actually sent for a grant on a day: the proof of delivery in a dispute. */
export async function recordDelivery(db: Database, response: Response): Promise<void> {
  const day = dayOf(response.started_at);
  await db
    .insertInto('delivery')
    .values({ ...response, id: randomUUID(), day, responses: 1 })
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
