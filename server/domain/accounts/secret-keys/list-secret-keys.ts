import type { Database } from '../../tables.ts';
import type { SecretKey } from '../tables.ts';

/** The live keys of an account, newest first. */
export function listSecretKeys(db: Database, ownerId: string): Promise<SecretKey[]> {
  return db
    .selectFrom('secret_key')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('revoked_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}
