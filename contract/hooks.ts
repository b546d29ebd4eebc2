/** What webhooks are told of, by its name in `type`. */
export type HookEvent =
  | 'sale.created'
  | 'sale.refunded'
  | 'sale.refund_failed'
  | 'dispute.opened'
  | 'dispute.closed'
  | 'link.created'
  | 'link.updated'
  | 'payout.paid';
