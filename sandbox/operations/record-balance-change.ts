import type Stripe from 'stripe';
import { newId } from '../new-id.ts';
import type { Scope } from '../scope.ts';
import type { Settlement } from '../store/kinds.ts';

export interface BalanceChange {
  type: Stripe.BalanceTransaction['type'];
  /** Signed cents of a US dollar, before the fee. */
  amount: number;
  /** Cents the provider keeps; never negative. */
  fee?: number;
  feeDescription?: string;
  /** The type, unless given. */
  reportingCategory?: string;
  description?: string | null;
  /** The id of the object that moved the money; null where the provider itself did. */
  source: string | null;
}

/** What the account settles in; undefined for US dollars, as connected accounts do. */
export function settlementOf({ account, objects }: Scope): Settlement | undefined {
  return account === null ? objects.find('settlement', 'settlement') : undefined;
}

/**
 * Moves money in or out of an account's balance, converted to what it settles in. It is available at
 * once, as with the provider's own test card 4000 0000 0000 0077, so that a payout can be tried in the
 * minute of the sale.
 */
export function recordBalanceChange(
  scope: Scope,
  change: BalanceChange,
): Stripe.BalanceTransaction {
  const { type, amount, fee = 0, reportingCategory = type, description = null, source } = change;
  const { currency = 'usd', exchangeRate = null } = settlementOf(scope) ?? {};
  const convert = (cents: number) => Math.round(cents * (exchangeRate ?? 1));
  const settled = { amount: convert(amount), fee: convert(fee) };
  const transaction: Stripe.BalanceTransaction = {
    id: newId('txn'),
    object: 'balance_transaction',
    amount: settled.amount,
    available_on: scope.now,
    balance_type: 'payments',
    created: scope.now,
    currency,
    description,
    exchange_rate: exchangeRate,
    fee: settled.fee,
    fee_details:
      fee === 0
        ? []
        : [
            {
              amount: settled.fee,
              application: null,
              currency,
              description: change.feeDescription ?? null,
              type: 'stripe_fee',
            },
          ],
    net: settled.amount - settled.fee,
    reporting_category: reportingCategory,
    source,
    status: 'available',
    type,
  };
  scope.objects.insert('balance_transaction', transaction);
  return transaction;
}
