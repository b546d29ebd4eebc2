import type Stripe from 'stripe';
import type {
  ProviderTransaction,
  TransactionSubject,
} from '../../books/ledger/record-transaction.ts';
import { idOf, PAGE, refundStateOf } from './read-payment.ts';

/**
 * What moved the account's balance of payments since a time in UTC milliseconds, newest first. The
 * provider's other balances, for cards it issues or money it sets aside, are no part of it: what goes
 * there leaves this one by a transaction of its own.
 */
export async function* listTransactions(
  stripe: Stripe,
  since: number,
): AsyncGenerator<ProviderTransaction> {
  const created = { gte: Math.floor(since / 1000) };
  const list = stripe.balanceTransactions.list({ created, limit: PAGE, expand: ['data.source'] });
  for await (const transaction of list) {
    if (transaction.balance_type === 'payments') yield toTransaction(transaction);
  }
}

/** All of the account's balance of payments, available or not, by currency. */
export async function readBalance(stripe: Stripe): Promise<Map<string, number>> {
  const { available, pending } = await stripe.balance.retrieve();
  const held = new Map<string, number>();
  for (const { currency, amount } of [...available, ...pending]) {
    held.set(currency, (held.get(currency) ?? 0) + amount);
  }
  return held;
}

function toTransaction(transaction: Stripe.BalanceTransaction): ProviderTransaction {
  const { source } = transaction;
  return {
    id: transaction.id,
    type: transaction.type,
    amountCents: transaction.amount,
    feeCents: transaction.fee,
    netCents: transaction.net,
    currency: transaction.currency,
    exchangeRate: transaction.exchange_rate,
    sourceId: idOf(source),
    subject: subjectOf(transaction),
    availableOn: transaction.available_on * 1000,
    createdAt: transaction.created * 1000,
  };
}

/** By what moved the money: one type may stand for several things, and one thing has several types. */
function subjectOf({ type, amount, source }: Stripe.BalanceTransaction): TransactionSubject {
  if (!source || typeof source === 'string') return { kind: 'other' };
  switch (source.object) {
    case 'charge': {
      const paymentIntentId = idOf(source.payment_intent);
      const isSale = (type === 'charge' || type === 'payment') && paymentIntentId !== null;
      if (!isSale) return { kind: 'other' };
      return { kind: 'sale', paymentIntentId, purchaseId: source.metadata.purchase_id ?? null };
    }
    case 'refund': {
      const refund = { refundId: source.id, paymentIntentId: idOf(source.payment_intent) };
      if (amount > 0) return { kind: 'refund_reversal', ...refund };
      return { kind: 'refund', ...refund, state: refundStateOf(source.status) };
    }
    case 'dispute': {
      const paymentIntentId = idOf(source.payment_intent);
      return { kind: 'dispute', disputeId: source.id, paymentIntentId };
    }
    default:
      return { kind: 'other' };
  }
}
