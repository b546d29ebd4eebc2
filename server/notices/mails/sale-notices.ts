import type { Gathers } from './gather.ts';

export const saleMails = {
  /**
   * Tells the seller that a payment is disputed, and nothing of the buyer, unless the dispute is over
   * or the account deleted by now.
   */
  async 'send-payment-disputed'({ db }, { purchaseId }) {
    const row = await db
      .selectFrom('purchase')
      .innerJoin('access_grant', 'access_grant.purchase_id', 'purchase.id')
      .innerJoin('user', 'user.id', 'purchase.seller_id')
      .where('purchase.id', '=', purchaseId)
      .where('access_grant.state', '=', 'suspended')
      .select(['purchase.link_id', 'purchase.title', 'purchase.price_cents'])
      .select(['purchase.settled_at', 'user.email', 'user.firstName', 'user.language'])
      .executeTakeFirst();
    if (!row) return [];
    const { email: to, link_id: linkId, price_cents: amountCents, settled_at, ...facts } = row;
    const paidAt = settled_at ?? 0;
    return [
      { to, mail: 'paymentDisputed', facts: { ...facts, linkId, purchaseId, amountCents, paidAt } },
    ];
  },

  /** Tells the seller that a buyer paid twice, unless the account was deleted by now. */
  async 'send-double-payment'({ db }, { purchaseId }) {
    const row = await db
      .selectFrom('purchase')
      .innerJoin('user', 'user.id', 'purchase.seller_id')
      .where('purchase.id', '=', purchaseId)
      .select(['purchase.link_id', 'purchase.title', 'purchase.price_cents'])
      .select(['user.email', 'user.firstName', 'user.language'])
      .executeTakeFirst();
    if (!row) return [];
    const { email: to, link_id: linkId, price_cents: amountCents, ...facts } = row;
    return [{ to, mail: 'doublePayment', facts: { ...facts, linkId, purchaseId, amountCents } }];
  },

  /** Tells the creator that a file was refused, unless it or the account was deleted meanwhile. */
  async 'send-file-refused'({ db }, { blob }) {
    const row = await db
      .selectFrom('file')
      .innerJoin('user', 'user.id', 'file.owner_id')
      .where('file.blob', '=', blob)
      .select(['file.name', 'file.refused_because'])
      .select(['user.email', 'user.firstName', 'user.language'])
      .executeTakeFirst();
    if (!row?.refused_because) return [];
    const { email: to, name: fileName, refused_because: because, ...owner } = row;
    return [{ to, mail: 'fileRefused', facts: { ...owner, fileName, because } }];
  },
} satisfies Partial<Gathers>;
