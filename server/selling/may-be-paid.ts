import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Tables } from '../ground/database/tables.ts';
import { DAY_MS } from '../ground/lib/time.ts';

/**
 * Purchases that are paid or may still be, but for those that their buyers gave back. Nobody has to
 * give back what an unpaid one held: it no longer counts once the provider says that its checkout is
 * over or, where it cannot be asked, a day later; and at once where no checkout was opened.
 */
export function mayBePaid(now: number) {
  return ({ eb, and, exists, not, or, selectFrom }: ExpressionBuilder<Tables, 'purchase'>) =>
    and([
      or([
        eb('purchase.state', 'in', ['settled', 'processing']),
        and([eb('purchase.state', '=', 'open'), eb('purchase.expires_at', '>', now)]),
        and([
          eb('purchase.state', '=', 'open'),
          exists(
            selectFrom('payment')
              .whereRef('payment.id', '=', 'purchase.payment_id')
              .select('payment.id'),
          ) as Expression<SqlBool>,
          eb('purchase.expires_at', '>', now - DAY_MS),
        ]),
      ]),
      not(
        exists(
          selectFrom('refund')
            .whereRef('refund.purchase_id', '=', 'purchase.id')
            .where('refund.requested_by', '=', 'buyer')
            .where('refund.state', '!=', 'failed')
            .select('refund.id'),
        ) as Expression<SqlBool>,
      ),
    ]);
}
