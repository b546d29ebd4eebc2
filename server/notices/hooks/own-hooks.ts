import type { Database } from '../../ground/database/tables.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { readPage } from '../../ground/lib/newest-first.ts';
import type { Hook, HookAttempt, HookMessage } from './tables.ts';

/** Whose webhooks are managed. What concerns all sellers is open to operators alone. */
export interface HookOwner {
  ownerId: string;
  isOperator: boolean;
}

/** The webhooks of an account, newest first. */
export function listHooks(db: Database, { ownerId, isOperator }: HookOwner): Promise<Hook[]> {
  return db
    .selectFrom('hook')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .$if(!isOperator, (query) => query.where('all_sellers', '=', 0))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

/** @throws DomainError NOT_FOUND unless it is one of this owner's */
export async function findOwnHook(db: Database, owner: HookOwner, id: string): Promise<Hook> {
  const hook = (await listHooks(db, owner)).find((one) => one.id === id);
  if (hook) return hook;
  throw new DomainError('NOT_FOUND', 'This webhook does not exist. It may have been deleted.');
}

export type TriedMessage = HookMessage & { tries: HookAttempt[] };

/** Of one message, the last ones are read. */
const MAX_LISTED_ATTEMPTS = 5;

/**
 * What a webhook was told, newest first, with the last attempts of each, the last one first.
 * @throws DomainError NOT_FOUND, INVALID_INPUT for a token of another list
 */
export async function listMessages(
  db: Database,
  owner: HookOwner,
  { hookId, token }: { hookId: string; token: string | null },
): Promise<{ messages: TriedMessage[]; nextToken: string | null }> {
  const hook = await findOwnHook(db, owner, hookId);
  const told = db.selectFrom('hook_message').selectAll().where('hook_id', '=', hook.id);
  const { items, nextToken } = await readPage(told, {
    list: 'hook-messages',
    by: ['created_at', 'id'],
    placeOf: ({ created_at: time, id }) => ({ time, id }),
    token,
  });
  const messages: TriedMessage[] = [];
  for (const message of items) {
    const tries = await db
      .selectFrom('hook_attempt')
      .selectAll()
      .where('message_id', '=', message.id)
      .orderBy('began_at', 'desc')
      .limit(MAX_LISTED_ATTEMPTS)
      .execute();
    messages.push({ ...message, tries });
  }
  return { messages, nextToken };
}
