import { enqueue } from '../outbox/enqueue.ts';
import { retryJobs } from '../outbox/retry-jobs.ts';
import type { Database, DatabaseTransaction } from '../tables.ts';
import type { EventBody } from './handle-webhook.ts';
import type { Mode } from './tables.ts';

export interface ProviderEvent {
  id: string;
  type: string;
  mode: Mode;
  /** The event as it was signed, JSON. */
  payload: string;
}

/** 'stale': rightly signed, but so long ago by our clock that it may be a repetition of another's. */
export type VerifyWebhook = (
  body: Buffer,
  signature: string,
) =>
  | { kind: 'event'; event: ProviderEvent }
  | { kind: 'stale'; ageSeconds: number }
  | { kind: 'forged' };

/**
 * Stores an event with the job that handles it. A repetition changes nothing once the event has
 * led to what it leads to; until then it is taken up again, also when it had been given up.
 */
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
    if (stored || (await mustRunAgain(transaction, event, now))) {
      await enqueue(transaction, 'handle-webhook', { eventId: event.id }, now);
    }
  });
}

/** Takes up the job of a repeated event. @returns whether there is none and should be one */
async function mustRunAgain(
  transaction: DatabaseTransaction,
  event: ProviderEvent,
  now: number,
): Promise<boolean> {
  const payload = JSON.stringify({ eventId: event.id });
  const job = await transaction
    .selectFrom('job')
    .where('payload', '=', payload)
    .select('id')
    .executeTakeFirst();
  if (job) {
    await retryJobs(transaction, now).where('payload', '=', payload).execute();
    return false;
  }
  const handled = await transaction
    .selectFrom('webhook_event')
    .where('id', '=', event.id)
    .where('handled_at', 'is not', null)
    .select('id')
    .executeTakeFirst();
  return !handled || isPaidButUnsettled(transaction, event);
}

/** What an event led to may be missing: it was not known to be ours, or a backup was restored. */
async function isPaidButUnsettled(
  db: DatabaseTransaction,
  { type, payload }: ProviderEvent,
): Promise<boolean> {
  if (!PAID.has(type)) return false;
  const { data } = JSON.parse(payload) as EventBody;
  const settled = await db
    .selectFrom('purchase')
    .where('session_id', '=', data.object.id)
    .where('state', '=', 'settled')
    .select('id')
    .executeTakeFirst();
  return !settled;
}

const PAID = new Set(['checkout.session.completed', 'checkout.session.async_payment_succeeded']);
