import { prepare } from '../../ground/database/prepare.ts';
import type { Database } from '../../ground/database/tables.ts';
import { canonicalAddress } from '../../ground/lib/canonical-address.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';

/**
 * The id of the account with this id or email address, or of a deleted one that is in the books.
 * @throws DomainError INVALID_INPUT when there is none
 */
export async function findAccountId(db: Database, idOrEmail: string): Promise<string> {
  const account = await db
    .selectFrom('user')
    .where(({ eb, or }) =>
      or([eb('id', '=', idOrEmail), eb('email', '=', canonicalAddress(idOrEmail))]),
    )
    .select('id')
    .executeTakeFirst();
  if (account) return account.id;
  const balance = await db
    .selectFrom('user_balance')
    .where('owner_id', '=', idOrEmail)
    .select('owner_id')
    .executeTakeFirst();
  if (balance) return balance.owner_id;
  throw new DomainError('INVALID_INPUT', `There is no account '${idOrEmail}'.`);
}

/**
 * Carries the visitor's address, as determined from the proxies, from a route to the account
 * library.
 */
export const CLIENT_ADDRESS_HEADER = 'x-padlink-client-address';

const readAccountId = prepare((db, id: string) =>
  db.selectFrom('user').select('id').where('id', '=', id),
);

/** @throws DomainError INVALID_INPUT when no account has this id */
export async function requireAccount(db: Database, id: string): Promise<void> {
  const [account] = await readAccountId(db, id);
  if (account) return;
  throw new DomainError(
    'INVALID_INPUT',
    `No account has the id '${id}'. Give the id of an existing account.`,
  );
}
