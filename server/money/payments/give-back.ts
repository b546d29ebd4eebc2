import { dialectOf } from '../../ground/database/dialect.ts';
import type { DatabaseTransaction } from '../../ground/database/tables.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { findBoughtTwice, findEarlier } from '../../selling/purchases/bought-twice.ts';
import { refundSale } from './refund-sale.ts';
import type { ReviewContext } from './review-payment.ts';

/** What seller and operator read; the provider keeps it too. */
const REASON = 'The buyer had bought it before, and gave the second purchase back.';

const REFUSALS = {
  disputed:
    'Your bank is looking into this payment, and will decide whether you get the money back.',
  over: 'The 24 hours for giving back this purchase are over.',
  kept: 'Your first purchase no longer gives access, so this one stays yours.',
};

/**
 * Gives back, for its buyer, what they had bought before: all that is left of the payment. What was
 * bought first stays. Asked for again, it does nothing.
 * @returns whether this call did it
 * @throws DomainError NOT_FOUND, RATE_LIMITED, REFUND_REFUSED
 */
export async function giveBack(
  {
    limits,
    ...context
  }: ReviewContext & {
    limits: { take(name: 'purchasesGivenBack', mailbox: string): Promise<() => void> };
  },
  purchaseId: string,
): Promise<boolean> {
  const find = () => findBoughtTwice(context.db, purchaseId, context.now());
  const bought = await find();
  if (!bought) throw new DomainError('NOT_FOUND', 'There is no such purchase.');
  if (bought.state === 'returned') return false;
  if (bought.state !== 'returnable') {
    throw new DomainError('REFUND_REFUSED', REFUSALS[bought.state]);
  }
  const untake = await limits.take('purchasesGivenBack', bought.mailbox ?? purchaseId);
  const by = { kind: 'buyer' } as const;
  const refund = { by, purchaseId, amountCents: null, reason: REASON };
  try {
    await refundSale(context, refund, (trx) => requireEarlier(trx, purchaseId));
    return true;
  } catch (error) {
    untake();
    // Pressed twice at once: the other press was faster.
    if ((await find())?.state !== 'returned') throw error;
    return false;
  }
}

/** At the moment at which the first is refunded too, the second stays. */
async function requireEarlier(trx: DatabaseTransaction, purchaseId: string): Promise<void> {
  for (let locked = ''; ; ) {
    const earlier = await findEarlier(trx, purchaseId);
    if (!earlier) throw new DomainError('REFUND_REFUSED', REFUSALS.kept);
    // Found again: whoever held it meanwhile has not written its refund down.
    if (earlier.purchaseId === locked) return;
    locked = earlier.purchaseId;
    await trx
      .selectFrom('purchase')
      .where('id', '=', locked)
      .select('id')
      .$if(dialectOf(trx) === 'postgres', (query) => query.forUpdate())
      .execute();
  }
}
