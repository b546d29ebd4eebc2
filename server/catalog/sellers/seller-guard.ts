import { prepare } from '../../ground/database/prepare.ts';
import type { Database } from '../../ground/database/tables.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';

const readEmail = prepare((db, id: string) =>
  db.selectFrom('user').select('email').where('id', '=', id),
);

/**
 * Lets only those accounts sell whose addresses are given; null: every account.
 * @returns what throws DomainError NOT_A_SELLER for any other one
 */
export function createSellerGuard(db: Database, sellers: readonly string[] | null) {
  return async (accountId: string): Promise<void> => {
    if (sellers === null) return;
    const [account] = await readEmail(db, accountId);
    if (account && sellers.includes(account.email)) return;
    throw new DomainError(
      'NOT_A_SELLER',
      'Only the operator of this site sells here. You can buy with your account.',
    );
  };
}
