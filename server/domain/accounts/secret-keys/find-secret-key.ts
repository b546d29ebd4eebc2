import type { Database } from '../../tables.ts';
import type { SecretKey } from '../tables.ts';
import { hashSecret, hasSecretForm } from './secret.ts';

/** The live key behind a secret. A key whose account is gone is dead. */
export async function findSecretKey(db: Database, secret: string): Promise<SecretKey | undefined> {
  if (!hasSecretForm(secret)) return undefined;
  return db
    .selectFrom('secret_key')
    .innerJoin('user', 'user.id', 'secret_key.owner_id')
    .where('secret_key.hash', '=', hashSecret(secret))
    .where('secret_key.revoked_at', 'is', null)
    .selectAll('secret_key')
    .executeTakeFirst();
}
