import { DomainError } from '../../domain-error.ts';
import type { Database } from '../../tables.ts';

/** Ends all keys of an account for good. */
export async function revokeSecretKeys(db: Database, ownerId: string, now: number): Promise<void> {
  await db
    .updateTable('secret_key')
    .set({ revoked_at: now })
    .where('owner_id', '=', ownerId)
    .where('revoked_at', 'is', null)
    .execute();
}

/** Ends a key for good. @throws DomainError NOT_FOUND unless it is a live key of this account */
export async function revokeSecretKey(
  db: Database,
  ownerId: string,
  id: string,
  now: number,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('secret_key')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) {
    throw new DomainError('NOT_FOUND', 'There is no such secret key: it may be revoked already.');
  }
}
