import type { MailFacts } from '../../../contract/mails.ts';
import type { Database } from '../../ground/database/tables.ts';
import type { JobPayloads } from '../../ground/outbox/tables.ts';
import { findEarlier } from '../../selling/purchases/bought-twice.ts';
import type { GatherContext, Gathers } from './gather.ts';
import { findLanguages } from './operator-notices.ts';
import { purchaseFacts } from './receipts.ts';

/** A refund, and of one that several purchases share, which of them. */
type RefundOf = JobPayloads['send-refund'];

const toBuyer =
  <Name extends 'refund' | 'refundFailed'>(mail: Name) =>
  async ({ db }: GatherContext, refund: RefundOf) => {
    const { facts, buyerEmail: to } = await readRefund(db, refund);
    return to ? [{ to, mail, facts }] : [];
  };

const toSeller =
  <Name extends 'saleRefunded' | 'saleRefundFailed'>(mail: Name) =>
  async ({ db }: GatherContext, refund: RefundOf) => {
    const sale = await readRefundedSale(db, refund);
    return sale ? [{ ...sale, mail }] : [];
  };

/** What buyers and sellers are mailed of a refund. */
export const refundMails = {
  'send-refund': toBuyer('refund'),
  'send-refund-failed': toBuyer('refundFailed'),
  'send-sale-refunded': toSeller('saleRefunded'),
  'send-sale-refund-failed': toSeller('saleRefundFailed'),

  async 'send-refund-refused'({ db }, refund) {
    const { facts, buyerEmail: to } = await readRefund(db, refund);
    return to ? [{ to, mail: 'refundRefused', facts: { ...facts, why: refund.why } }] : [];
  },

  /** To the seller or the operator, whoever decided it. */
  async 'send-sale-refund-refused'({ db, operatorEmails }, { why, operatorId, ...refund }) {
    const { facts, sellerId, by } = await readRefund(db, refund);
    const byOperator = by === 'operator';
    const account = await findOwner(db, byOperator ? (operatorId ?? '') : sellerId);
    const operators = byOperator && !account ? await findLanguages(db, operatorEmails) : [];
    const readers = account ? [account] : operators.map((one) => ({ ...one, firstName: '' }));
    return readers.map(({ to, ...reader }) => ({
      to,
      mail: 'saleRefundRefused',
      facts: { ...facts, ...reader, why, byOperator },
    }));
  },
} satisfies Partial<Gathers>;

async function readRefund(db: Database, { refundId, purchaseId }: RefundOf) {
  const row = await db
    .selectFrom('refund')
    .innerJoin('purchase', 'purchase.id', 'refund.purchase_id')
    .innerJoin('access_grant', 'access_grant.purchase_id', 'purchase.id')
    .innerJoin('link', 'link.id', 'purchase.link_id')
    .where('refund.id', '=', refundId)
    .$if(purchaseId !== undefined, (query) =>
      query.where('refund.purchase_id', '=', purchaseId ?? ''),
    )
    .select(['purchase.id', 'purchase.link_id', 'purchase.title', 'purchase.seller_name'])
    .select(['purchase.price_cents', 'purchase.tax_cents', 'purchase.buyer_email'])
    .select(['purchase.language', 'purchase.gift_email'])
    .select('purchase.seller_id')
    .select(['refund.amount_cents', 'refund.reason', 'refund.requested_by'])
    .select(['access_grant.state', 'link.taken_down_at'])
    .select(({ selectFrom }) =>
      selectFrom('refund as each')
        .whereRef('each.purchase_id', '=', 'purchase.id')
        .where('each.state', '!=', 'failed')
        .select(({ fn }) => fn.sum<number | string>('each.amount_cents').as('cents'))
        .as('refunded_cents'),
    )
    .executeTakeFirstOrThrow();
  const facts: MailFacts['refund'] & MailFacts['refundFailed'] = {
    ...purchaseFacts(row),
    amountCents: row.amount_cents,
    isWhole: Number(row.refunded_cents) >= row.price_cents + row.tax_cents,
    isGift: row.gift_email !== null,
    keepsEarlier: (await findEarlier(db, row.id)) !== undefined,
    hasAccess: row.state === 'active' && row.taken_down_at === null,
  };
  const { buyer_email: buyerEmail, seller_id: sellerId, reason, requested_by: by } = row;
  return { facts, buyerEmail, sellerId, reason, by };
}

/** With the seller, unless the account was deleted by now, and why: the buyer is not told that. */
async function readRefundedSale(db: Database, refund: RefundOf) {
  const { facts, sellerId, reason } = await readRefund(db, refund);
  const seller = await findOwner(db, sellerId);
  if (!seller) return undefined;
  const { to, ...owner } = seller;
  return { to, facts: { ...facts, ...owner, reason: reason ?? '' } };
}

const findOwner = (db: Database, userId: string) =>
  db
    .selectFrom('user')
    .where('id', '=', userId)
    .select(['email as to', 'firstName', 'language'])
    .executeTakeFirst();
