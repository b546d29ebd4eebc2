import type { Database } from '../../ground/database/tables.ts';

const MESSAGES_KEPT_FOR_MS = 30 * 24 * 60 * 60 * 1000;
/** Of one webhook, of those that wait no longer. */
const MAX_KEPT_MESSAGES = 1_000;
/** Of one webhook: what its receiver takes too slowly, or not at all, is not to fill the disk. */
const MAX_WAITING_MESSAGES = 10_000;

/**
 * Gives up what too many newer events wait behind, and forgets what webhooks were told long ago, or
 * many events ago. @param now UTC milliseconds
 */
export async function sweepHooks(db: Database, now: number): Promise<void> {
  await db
    .deleteFrom('hook_message')
    .where('state', '!=', 'waiting')
    .where('created_at', '<', now - MESSAGES_KEPT_FOR_MS)
    .execute();
  for (const { id } of await db.selectFrom('hook').select('id').execute()) {
    await giveUpWaiting(db, id);
    const first = await db
      .selectFrom('hook_message')
      .where('hook_id', '=', id)
      .where('state', '!=', 'waiting')
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .offset(MAX_KEPT_MESSAGES)
      .limit(1)
      .select('created_at')
      .executeTakeFirst();
    if (!first) continue;
    await db
      .deleteFrom('hook_message')
      .where('hook_id', '=', id)
      .where('state', '!=', 'waiting')
      .where('created_at', '<=', first.created_at)
      .execute();
  }
}

async function giveUpWaiting(db: Database, hookId: string): Promise<void> {
  const last = await db
    .selectFrom('hook_message')
    .where('hook_id', '=', hookId)
    .where('state', '=', 'waiting')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(MAX_WAITING_MESSAGES)
    .limit(1)
    .select('created_at')
    .executeTakeFirst();
  if (!last) return;
  await db
    .updateTable('hook_message')
    .set({ state: 'given_up' })
    .where('hook_id', '=', hookId)
    .where('state', '=', 'waiting')
    .where('created_at', '<=', last.created_at)
    .execute();
}
