import type { AccessGrant, Refund } from './tables.ts';

/** Cents of a sale that may still be given back: nothing while it is disputed, or once it is over. */
export function refundableCents(
  paidCents: number,
  state: AccessGrant['state'],
  refunds: Pick<Refund, 'state' | 'amount_cents'>[],
): number {
  if (state !== 'active') return 0;
  return refunds
    .filter((refund) => refund.state !== 'failed')
    .reduce((left, refund) => left - refund.amount_cents, paidCents);
}
