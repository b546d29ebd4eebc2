import type { DatabaseTransaction } from '../../ground/database/tables.ts';
import { HOUR_MS } from '../../ground/lib/time.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';

/** Mails the operators in this hour or, if they were mailed in it, in the next one: once in each. */
export async function noticeOperators(trx: DatabaseTransaction, now: number): Promise<void> {
  const hour = Math.floor(now / HOUR_MS);
  for (const next of [hour, hour + 1]) {
    const isFirst = await trx
      .insertInto('report_notice')
      .values({ hour: next })
      .onConflict((conflict) => conflict.doNothing())
      .returning('hour')
      .executeTakeFirst();
    if (!isFirst) continue;
    await enqueue(trx, 'send-reports-wait', {}, now, Math.max(now, next * HOUR_MS));
    return;
  }
}
