import type { Actor } from '../../ground/acts/operator-of.ts';
import { recordAct } from '../../ground/acts/record-act.ts';
import type { DatabaseContext } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { requireAccount } from './find-account.ts';

interface Quota {
  /** Of all files together; null: as the operator's settings say, like the others. */
  bytes: number | null;
  links: number | null;
  uploadsADay: number | null;
}

/**
 * Sets how much one account may have, in place of what the settings say for every account.
 * @throws DomainError INVALID_INPUT
 */
export async function setQuota(
  { db, now }: DatabaseContext,
  actor: Actor,
  { userId, ...quota }: Quota & { userId: string },
): Promise<void> {
  const figures = Object.values(quota).filter((figure) => figure !== null);
  if (figures.some((figure) => !Number.isSafeInteger(figure) || figure < 0)) {
    throw new DomainError('INVALID_INPUT', 'A quota is a whole number, not below zero.');
  }
  const { bytes, links, uploadsADay: uploads_a_day } = quota;
  await transaction(db, async (trx) => {
    await requireAccount(trx, userId);
    await trx
      .insertInto('account_quota')
      .values({ user_id: userId, bytes, links, uploads_a_day })
      .onConflict((conflict) =>
        conflict.column('user_id').doUpdateSet({ bytes, links, uploads_a_day }),
      )
      .execute();
    const subject = { kind: 'account', id: userId } as const;
    await recordAct(trx, actor, { act: 'seller.quota', subject, details: { ...quota } }, now());
  });
}
