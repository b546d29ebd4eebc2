import { DomainError } from '../domain-error.ts';
import type { Database } from '../tables.ts';

/**
 * The id of the account with this id or e-mail address.
 * @throws DomainError INVALID_INPUT when there is none
 */
export async function findAccountId(db: Database, idOrEmail: string): Promise<string> {
  const account = await db
    .selectFrom('user')
    .where(({ eb, or }) =>
      or([eb('id', '=', idOrEmail), eb('email', '=', idOrEmail.toLowerCase())]),
    )
    .select('id')
    .executeTakeFirst();
  if (account) return account.id;
  throw new DomainError('INVALID_INPUT', `There is no account '${idOrEmail}'.`);
}
