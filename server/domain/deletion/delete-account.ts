import { formatCents } from '../../../contract/money.ts';
import { eraseUser } from '../accounts/erase-user.ts';
import type { Publish } from '../changes.ts';
import { DomainError } from '../domain-error.ts';
import { sumOwed } from '../ledger/sum-owed.ts';
import { deleteLinksOf } from '../links/delete-links-of.ts';
import type { Database } from '../tables.ts';

interface DeletionContext {
  db: Database;
  /** UTC milliseconds. */
  now: () => number;
  publish: Publish;
}

/**
 * Deletes an account for good: its links are off sale, who it belonged to is erased. Its buyers
 * keep their content, and what it bought itself stays reachable by the personal links.
 * @throws DomainError ACCOUNT_NOT_SETTLED while money is owed either way
 */
export async function deleteAccount(
  { db, now, publish }: DeletionContext,
  userId: string,
): Promise<void> {
  const linkIds = await db.transaction().execute(async (transaction) => {
    const owedCents = await sumOwed(transaction, userId);
    if (owedCents !== 0) throw new DomainError('ACCOUNT_NOT_SETTLED', explain(owedCents));
    const deleted = await deleteLinksOf(transaction, userId, now());
    await eraseUser(transaction, userId);
    return deleted;
  });
  for (const id of linkIds) publish({ kind: 'link-deleted', id, ownerId: userId });
  publish({ kind: 'session-ended', id: userId, ownerId: userId });
}

function explain(owedCents: number): string {
  const amount = `$${formatCents(Math.abs(owedCents))}`;
  return owedCents > 0
    ? `Your balance is ${amount}. Have it paid out before you delete your account.`
    : `Your balance is ${amount} below zero. Settle it before you delete your account.`;
}
