import { randomUUID } from 'node:crypto';
import { MAX_SECRET_KEYS } from '../../../../contract/limits.ts';
import { DomainError } from '../../domain-error.ts';
import type { Database } from '../../tables.ts';
import type { SecretKey } from '../tables.ts';
import { hashSecret, hintOf, newSecret } from './secret.ts';
import { validateKeyName } from './validate-key-name.ts';

/**
 * Gives an account a new secret key. The secret is returned this once.
 * @throws DomainError INVALID_KEY_NAME, TOO_MANY_SECRET_KEYS
 */
export async function createSecretKey(
  db: Database,
  ownerId: string,
  name: string,
  now: number,
): Promise<{ key: SecretKey; secret: string }> {
  const secret = newSecret();
  const row = {
    id: randomUUID(),
    owner_id: ownerId,
    name: validateKeyName(name),
    hash: hashSecret(secret),
    hint: hintOf(secret),
    created_at: now,
    last_used_at: null,
    revoked_at: null,
  };
  const key = await db.transaction().execute(async (transaction) => {
    await lockAccount(transaction, ownerId);
    if ((await countLiveKeys(transaction, ownerId)) >= MAX_SECRET_KEYS) {
      throw new DomainError(
        'TOO_MANY_SECRET_KEYS',
        `An account has at most ${MAX_SECRET_KEYS} secret keys. Revoke one that is not in use.`,
      );
    }
    return transaction
      .insertInto('secret_key')
      .values(row)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
  return { key, secret };
}

/** Writes nothing new, but holds the row: parallel creations count one after the other. */
async function lockAccount(db: Database, id: string): Promise<void> {
  await db.updateTable('user').set({ id }).where('id', '=', id).execute();
}

async function countLiveKeys(db: Database, ownerId: string): Promise<number> {
  const { count } = await db
    .selectFrom('secret_key')
    .where('owner_id', '=', ownerId)
    .where('revoked_at', 'is', null)
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
