import type Stripe from 'stripe';
import { newId } from '../new-id.ts';
import type { Scope } from '../scope.ts';

export interface BalanceChange {
  type: Stripe.BalanceTransaction['type'];
  /** Signed cents, before the fee. */
  amount: number;
  /** Cents the provider keeps; never negative. */
  fee?: number;
  feeDescription?: string;
  reportingCategory: string;
  description: string | null;
  /** The id of the object that moved the money. */
  source: string;
}

/**
 * Moves money in or out of an account's balance. It is available at once, as with the provider's
 * own test card 4000 0000 0000 0077, so that a payout can be tried in the minute of the sale.
 */
export function recordBalanceChange(
  scope: Scope,
  { type, amount, fee = 0, feeDescription, reportingCategory, description, source }: BalanceChange,
): Stripe.BalanceTransaction {
  const transaction: Stripe.BalanceTransaction = {
    id: newId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: scope.now,
    balance_type: 'payments',
    created: scope.now,
    currency: 'usd',
    description,
    exchange_rate: null,
    fee,
    fee_details:
      fee === 0
        ? []
        : [
            {
              amount: fee,
              application: null,
              currency: 'usd',
              description: feeDescription ?? null,
              type: 'stripe_fee',
            },
          ],
    net: amount - fee,
    reporting_category: reportingCategory,
    source,
    status: 'available',
    type,
  };
  scope.objects.insert('balance_transaction', transaction);
  return transaction;
}
