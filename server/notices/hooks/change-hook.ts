import type { Database, DatabaseContext } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';
import { EARLIER_SECRET_MS } from './hook-secret.ts';
import { findOwnHook, type HookOwner } from './own-hooks.ts';
import type { Hook } from './tables.ts';

/** What is known of one that takes what it is sent. */
export const HEALTHY = { failures: 0, failing_since: null, rest_until: 0 };

/**
 * Pauses a webhook, which is told nothing of what happens meanwhile, or turns a paused or ended one
 * on again. What still waits for it is sent then.
 * @throws DomainError NOT_FOUND
 */
export async function setHookPaused(
  { db, now }: DatabaseContext,
  owner: HookOwner,
  { id, paused }: { id: string; paused: boolean },
): Promise<void> {
  const { id: hookId } = await findOwnHook(db, owner, id);
  await transaction(db, async (trx) => {
    await trx
      .updateTable('hook')
      .set({ ...HEALTHY, state: paused ? 'paused' : 'on' })
      .where('id', '=', hookId)
      .where('state', paused ? '=' : '!=', 'on')
      .execute();
    if (!paused) await enqueue(trx, 'serve-hook', { hookId }, now());
  });
}

/**
 * Gives a webhook another secret. Messages are signed with the one before as well for a day.
 * @throws DomainError NOT_FOUND
 */
export async function rotateSecret(
  { db, now }: DatabaseContext,
  owner: HookOwner,
  id: string,
): Promise<Hook> {
  const { id: hookId } = await findOwnHook(db, owner, id);
  return db
    .updateTable('hook')
    .set(({ eb }) => ({
      generation: eb('generation', '+', 1),
      earlier_until: now() + EARLIER_SECRET_MS,
    }))
    .where('id', '=', hookId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Deletes a webhook and what it was told. @throws DomainError NOT_FOUND */
export async function deleteHook(db: Database, owner: HookOwner, id: string): Promise<void> {
  const { id: hookId } = await findOwnHook(db, owner, id);
  await db.deleteFrom('hook').where('id', '=', hookId).execute();
}

/**
 * Sends a message again, with the same id.
 * @throws DomainError NOT_FOUND; INVALID_INPUT while the webhook is not on
 */
export async function resendMessage(
  { db, now }: DatabaseContext,
  owner: HookOwner,
  { hookId, id }: { hookId: string; id: string },
): Promise<void> {
  const hook = await findOwnHook(db, owner, hookId);
  if (hook.state !== 'on') throw new DomainError('INVALID_INPUT', 'Turn the webhook on first.');
  await transaction(db, async (trx) => {
    const wanted = await trx
      .updateTable('hook_message')
      .set({ state: 'waiting', attempts: 0, wanted_at: now(), due_at: now() })
      .where('id', '=', id)
      .where('hook_id', '=', hookId)
      .returning('id')
      .executeTakeFirst();
    if (!wanted) {
      const why = 'This event is no longer kept. They are kept for 30 days.';
      throw new DomainError('NOT_FOUND', why);
    }
    await trx.updateTable('hook').set({ rest_until: 0 }).where('id', '=', hookId).execute();
    await enqueue(trx, 'serve-hook', { hookId }, now());
  });
}
