import { enqueue } from '../outbox/enqueue.ts';
import type { Database } from '../tables.ts';
import type { Mode } from './tables.ts';

export interface ProviderEvent {
  id: string;
  type: string;
  mode: Mode;
  /** The event as it was signed, JSON. */
  payload: string;
}

/** Stores an event with the job that handles it; a repetition of the same event changes nothing. */
export async function receiveWebhook(
  db: Database,
  event: ProviderEvent,
  now: number,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const stored = await transaction
      .insertInto('webhook_event')
      .values({ ...event, received_at: now, handled_at: null })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (stored) await enqueue(transaction, 'handle-webhook', { eventId: event.id }, now);
  });
}
