import type { Database } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { weekOf } from '../../ground/lib/time.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';

const SELLERS_AT_ONCE = 100;

/**
 * Writes a job for each seller who wants to be told of the week that is over, once for each of both,
 * also when several processes do it at once. @param now UTC milliseconds
 */
export async function planWeeks(db: Database, now: number): Promise<void> {
  const thisWeek = weekOf(now);
  let planned: number;
  do {
    planned = await transaction(db, async (trx) => {
      const sellers = await trx
        .updateTable('notification_choice')
        .set({ told_week: thisWeek })
        .where('owner_id', 'in', ({ selectFrom }) =>
          selectFrom('notification_choice')
            .where('weekly', '=', 1)
            .where('told_week', '<', thisWeek)
            .orderBy('told_week')
            .limit(SELLERS_AT_ONCE)
            .select('owner_id'),
        )
        .where('told_week', '<', thisWeek)
        .returning('owner_id')
        .execute();
      for (const { owner_id: ownerId } of sellers) {
        await enqueue(trx, 'send-week', { ownerId, week: thisWeek - 1 }, now);
      }
      return sellers.length;
    });
  } while (planned > 0);
}
