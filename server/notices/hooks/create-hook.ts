import { randomUUID } from 'node:crypto';
import { fact } from '../../../contract/fact.ts';
import { MAX_HOOKS } from '../../../contract/limits.ts';
import { checkUrl } from '../../../contract/link-rules.ts';
import type { DatabaseContext } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import type { Hook } from './tables.ts';

interface Context extends DatabaseContext {
  /** Whether receivers may be spoken to without TLS. */
  allowPrivate: boolean;
}

/**
 * Has an address of an account told of events from now on.
 * @throws DomainError INVALID_URL, TOO_MANY_WEBHOOKS
 */
export async function createHook(
  { db, allowPrivate, now }: Context,
  { ownerId, url, allSellers }: { ownerId: string; url: string; allSellers: boolean },
): Promise<Hook> {
  const row = {
    id: randomUUID(),
    owner_id: ownerId,
    all_sellers: Number(allSellers),
    url: validateAddress(url, allowPrivate),
    state: 'on' as const,
    generation: 1,
    failing_since: null,
    created_at: now(),
  };
  return transaction(db, async (trx) => {
    // Holds the account's row: parallel creations count one after the other.
    await trx.updateTable('user').set({ id: ownerId }).where('id', '=', ownerId).execute();
    const { count } = await trx
      .selectFrom('hook')
      .where('owner_id', '=', ownerId)
      .select(({ fn }) => fn.countAll().as('count'))
      .executeTakeFirstOrThrow();
    if (Number(count) >= MAX_HOOKS) {
      throw new DomainError(
        'TOO_MANY_WEBHOOKS',
        fact('An account can have at most {limit} webhooks. Delete one that is not in use.', {
          limit: MAX_HOOKS,
        }),
      );
    }
    return trx.insertInto('hook').values(row).returningAll().executeTakeFirstOrThrow();
  });
}

function validateAddress(text: string, allowPrivate: boolean): string {
  const fault = checkUrl(text);
  if (fault) throw new DomainError('INVALID_URL', fault);
  const { href, protocol } = new URL(text);
  if (protocol === 'https:' || allowPrivate) return href;
  throw new DomainError('INVALID_URL', 'The address must begin with https://.');
}
