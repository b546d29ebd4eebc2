import { DomainError } from '../domain-error.ts';
import type { Database } from '../tables.ts';

/** @throws DomainError INVALID_INPUT when no account has this id */
export async function requireAccount(db: Database, id: string): Promise<void> {
  const account = await db.selectFrom('user').select('id').where('id', '=', id).executeTakeFirst();
  if (account) return;
  throw new DomainError(
    'INVALID_INPUT',
    `No account has the id '${id}': name the owner by the id of an existing account.`,
  );
}
