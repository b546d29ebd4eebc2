import { transaction } from '../../ground/database/transaction.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';
import { needsNoRefund, refundSale } from '../../money/payments/refund-sale.ts';
import type { ReviewContext } from '../../money/payments/review-payment.ts';

/** Buyers of one transaction. */
const BUYERS_AT_ONCE = 100;

/**
 * Writes the jobs that tell each buyer who had the content of a link that was taken down, alone or in
 * a bundle, and that refund those who are to be: buyers of a bundle keep its other parts, and no part
 * has a price that was paid for it. Repeating it is harmless: how far it came is written with them.
 * @returns whether there may be more
 */
export async function followTakeDown(
  { db, provider, now }: Pick<ReviewContext, 'db' | 'provider' | 'now'>,
  takeDownId: string,
): Promise<boolean> {
  const account = await provider.account();
  return transaction(db, async (trx) => {
    // Written first: it locks the row.
    const takeDown = await trx
      .updateTable('take_down')
      .set(({ ref }) => ({ followed_until: ref('followed_until') }))
      .where('id', '=', takeDownId)
      .where('undone_at', 'is', null)
      .returning(['link_id', 'refunded_from', 'followed_until'])
      .executeTakeFirst();
    if (!takeDown) return false;
    const { link_id: linkId, refunded_from: from } = takeDown;
    const next = trx
      .selectFrom('access_grant')
      .innerJoin('purchase', 'purchase.id', 'access_grant.purchase_id')
      .where('access_grant.state', '=', 'active')
      .where('access_grant.id', '>', takeDown.followed_until)
      .orderBy('access_grant.id')
      .limit(BUYERS_AT_ONCE)
      .select(['access_grant.id', 'access_grant.link_id', 'purchase.id as purchaseId'])
      .select(['settled_at', 'provider_account', 'price_cents']);
    const alone = await next.where('access_grant.link_id', '=', linkId).execute();
    const inBundles = await next
      .innerJoin('purchase_part', 'purchase_part.purchase_id', 'purchase.id')
      .where('purchase_part.link_id', '=', linkId)
      .execute();
    const buyers = [...alone, ...inBundles]
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, BUYERS_AT_ONCE);
    const last = buyers.at(-1);
    if (!last) return false;
    for (const { link_id, purchaseId, settled_at, provider_account, price_cents } of buyers) {
      const isPart = link_id !== linkId;
      const isPaid = price_cents > 0 && from !== null && (settled_at ?? 0) >= from;
      const isToBe = !isPart && isPaid;
      if (isToBe) await enqueue(trx, 'refund-taken-down', { purchaseId }, now());
      // Nobody is promised what only a person can do, at another account of the provider.
      const isRefunded = isToBe && provider_account === account;
      const notice = { purchaseId, isRefunded, ...(isPart && { partId: linkId }) };
      await enqueue(trx, 'send-content-taken-down', notice, now());
    }
    await trx
      .updateTable('take_down')
      .set({ followed_until: last.id })
      .where('id', '=', takeDownId)
      .execute();
    return buyers.length === BUYERS_AT_ONCE;
  });
}

/**
 * Refunds what is left of a sale whose content was taken down, once however often it runs.
 * @throws DomainError REFUND_REFUSED where a person has to refund it, as on another account
 */
export async function refundTakenDown(context: ReviewContext, purchaseId: string): Promise<void> {
  const reason = 'The content was taken down.';
  const by = { kind: 'operator', actor: null } as const;
  await refundSale(context, { by, purchaseId, amountCents: null, reason }).catch(
    (error: unknown) => {
      if (!needsNoRefund(error)) throw error;
    },
  );
}
