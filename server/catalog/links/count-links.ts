import { fact } from '../../../contract/fact.ts';
import { findOwnQuota } from '../../files/quota.ts';
import type { DatabaseTransaction } from '../../ground/database/tables.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';

/**
 * Refuses a link more than an account may have, in the transaction that has just put it on sale.
 * @param standard how many the settings allow each account; any number unless given
 * @throws DomainError QUOTA_EXCEEDED
 */
export async function refuseOneTooMany(
  trx: DatabaseTransaction,
  ownerId: string,
  standard: number | null | undefined,
): Promise<void> {
  const limit = (await findOwnQuota(trx, ownerId))?.links ?? standard ?? null;
  if (limit === null) return;
  // Writes nothing new, but holds the row: of two at once, each counts what the other wrote.
  await trx.updateTable('user').set({ id: ownerId }).where('id', '=', ownerId).execute();
  const { links } = await trx
    .selectFrom('link')
    .where('unlisted', 'in', [0, 1])
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .where('taken_down_at', 'is', null)
    .select(({ fn }) => fn.countAll<number | string>().as('links'))
    .executeTakeFirstOrThrow();
  if (Number(links) <= limit) return;
  throw new DomainError(
    'QUOTA_EXCEEDED',
    fact(
      limit === 1
        ? 'Your account can have {limit} link and has reached that limit. Delete one that you no longer sell, or ask the operator of this site for more.'
        : 'Your account can have {limit} links and has reached that limit. Delete one that you no longer sell, or ask the operator of this site for more.',
      { limit },
    ),
  );
}
