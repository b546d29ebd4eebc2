import { randomUUID } from 'node:crypto';
import type { HookEvent } from '../../../contract/hooks.ts';
import { prepare } from '../../ground/database/prepare.ts';
import type { DatabaseTransaction } from '../../ground/database/tables.ts';
import { isoTime } from '../../ground/lib/time.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';

interface Happening {
  type: HookEvent;
  /** Whose link, sale or payout it is about. */
  ownerId: string;
  /** What its owner's pages show of it: neither a secret nor anything of a buyer. */
  data: Record<string, unknown>;
}

/**
 * Leaves a message for each webhook that is to be told, in the transaction of what happened. A
 * suspended account is told nothing.
 * @param now UTC milliseconds
 */
export async function tellHooks(
  trx: DatabaseTransaction,
  { type, ownerId, data }: Happening,
  now: number,
): Promise<void> {
  const hooks = await findHooks(trx, ownerId);
  if (hooks.length === 0) return;
  const body = JSON.stringify({ type, timestamp: isoTime(now), data: { ...data, owner: ownerId } });
  for (const { id: hookId } of hooks) {
    await trx
      .insertInto('hook_message')
      .values({
        id: randomUUID(),
        hook_id: hookId,
        type,
        body,
        state: 'waiting',
        wanted_at: now,
        due_at: now,
        created_at: now,
      })
      .execute();
    await enqueue(trx, 'serve-hook', { hookId }, now);
  }
}

const findHooks = prepare((db, ownerId: string) =>
  db
    .selectFrom('hook')
    .where('state', '=', 'on')
    // As a value that is put in later, SQLite would plan the whole query again for its index.
    .where(({ eb, lit, or }) => or([eb('owner_id', '=', ownerId), eb('all_sellers', '=', lit(1))]))
    .where('owner_id', 'not in', ({ selectFrom }) => selectFrom('suspension').select('user_id'))
    .select('id'),
);
