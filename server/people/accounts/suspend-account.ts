import { putLinksBackOnSale, takeLinksOffSale } from '../../catalog/links/suspend-links.ts';
import type { Actor } from '../../ground/acts/operator-of.ts';
import { recordAct } from '../../ground/acts/record-act.ts';
import type { DatabaseContext } from '../../ground/database/tables.ts';
import { announce, transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { readReason } from '../../ground/lib/read-reason.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';
import { requireAccount } from './find-account.ts';

/**
 * Suspends an account until it is restored: its sessions end, its keys open nothing, its links are
 * off sale and its payouts wait. Its buyers keep what they bought. Its owner is mailed the reason.
 * @throws DomainError INVALID_INPUT without a reason, for no account, for the actor's own, and for one
 * that is suspended
 */
export async function suspendAccount(
  { db, now }: DatabaseContext,
  actor: Actor,
  { userId, reason: words }: { userId: string; reason: string },
): Promise<void> {
  const reason = readReason(words);
  if (actor.kind === 'account' && actor.id === userId) {
    throw new DomainError('INVALID_INPUT', 'You cannot suspend your own account.');
  }
  const suspendedAt = now();
  await transaction(db, async (trx) => {
    await requireAccount(trx, userId);
    const suspended = await trx
      .insertInto('suspension')
      .values({ user_id: userId, suspended_at: suspendedAt, reason })
      .onConflict((conflict) => conflict.column('user_id').doNothing())
      .returning('user_id')
      .executeTakeFirst();
    if (!suspended) throw new DomainError('INVALID_INPUT', 'This account is suspended already.');
    await takeLinksOffSale(trx, userId, suspendedAt);
    await trx.deleteFrom('session').where('userId', '=', userId).execute();
    await enqueue(trx, 'send-standing', { userId }, suspendedAt);
    const subject = { kind: 'account', id: userId } as const;
    await recordAct(trx, actor, { act: 'seller.suspended', subject, reason }, suspendedAt);
    announce(trx, { kind: 'session-ended', id: userId, ownerId: userId });
    announce(trx, { kind: 'seller-changed', id: userId, ownerId: userId });
  });
}

/**
 * Lets a suspended account be used again; its links are on sale as they were.
 * @throws DomainError NOT_FOUND unless it is suspended
 */
export async function restoreAccount(
  { db, now }: DatabaseContext,
  actor: Actor,
  userId: string,
): Promise<void> {
  const restoredAt = now();
  await transaction(db, async (trx) => {
    const ended = await trx
      .deleteFrom('suspension')
      .where('user_id', '=', userId)
      .returning('suspended_at')
      .executeTakeFirst();
    if (!ended) throw new DomainError('NOT_FOUND', 'This account is not suspended.');
    await putLinksBackOnSale(trx, userId, ended.suspended_at);
    await enqueue(trx, 'send-standing', { userId }, restoredAt);
    const subject = { kind: 'account', id: userId } as const;
    await recordAct(trx, actor, { act: 'seller.restored', subject }, restoredAt);
    announce(trx, { kind: 'seller-changed', id: userId, ownerId: userId });
  });
}
