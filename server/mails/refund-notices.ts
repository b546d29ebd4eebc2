import type {
  Mail,
  RefundFailedInput,
  RefundMadeInput,
  SaleRefundedInput,
  SaleRefundFailedInput,
} from '../../contract/mails.ts';
import type { Database } from '../database/tables.ts';
import type { JobHandlers } from '../outbox/worker.ts';
import { findEarlier } from '../payments/bought-twice.ts';
import { type FailureFacts, purchaseFacts } from './receipts.ts';
import type { SendMail } from './smtp.ts';

/** What a mail says of a refund. */
interface RefundFacts extends FailureFacts {
  /** Whether nothing is left of the payment. */
  isWhole: boolean;
  /** Whether it was given to somebody else. */
  isGift: boolean;
  /** Whether the buyer keeps the same by an earlier purchase. */
  keepsEarlier: boolean;
  /** Whether what was bought can be opened now. */
  hasAccess: boolean;
}

/** What the mail to its seller says besides. */
type SoldFacts = RefundFacts & { firstName: string; reason: string };

async function readRefund(db: Database, refundId: string) {
  const row = await db
    .selectFrom('refund')
    .innerJoin('purchase', 'purchase.id', 'refund.purchase_id')
    .innerJoin('access_grant', 'access_grant.purchase_id', 'purchase.id')
    .innerJoin('link', 'link.id', 'purchase.link_id')
    .where('refund.id', '=', refundId)
    .select(['purchase.id', 'purchase.link_id', 'purchase.title', 'purchase.seller_name'])
    .select(['purchase.price_cents', 'purchase.tax_cents', 'purchase.buyer_email'])
    .select(['purchase.language', 'purchase.gift_email'])
    .select('purchase.seller_id')
    .select(['refund.amount_cents', 'refund.reason'])
    .select(['access_grant.state', 'link.taken_down_at'])
    .select(({ selectFrom }) =>
      selectFrom('refund as each')
        .whereRef('each.purchase_id', '=', 'purchase.id')
        .where('each.state', '!=', 'failed')
        .select(({ fn }) => fn.sum<number | string>('each.amount_cents').as('cents'))
        .as('refunded_cents'),
    )
    .executeTakeFirstOrThrow();
  const facts: RefundFacts = {
    ...purchaseFacts(row),
    amountCents: row.amount_cents,
    isWhole: Number(row.refunded_cents) >= row.price_cents + row.tax_cents,
    isGift: row.gift_email !== null,
    keepsEarlier: (await findEarlier(db, row.id)) !== undefined,
    hasAccess: row.state === 'active' && row.taken_down_at === null,
  };
  const { buyer_email: buyerEmail, seller_id: sellerId, reason } = row;
  return { facts, buyerEmail, sellerId, reason };
}

const findSeller = (db: Database, id: string) =>
  db
    .selectFrom('user')
    .where('id', '=', id)
    .select(['email', 'firstName', 'language'])
    .executeTakeFirst();

interface RefundJobsContext {
  db: Database;
  sendMail: SendMail;
  mails: {
    refundMade(input: RefundMadeInput): Mail;
    refundFailed(input: RefundFailedInput): Mail;
    saleRefunded(input: SaleRefundedInput): Mail;
    saleRefundFailed(input: SaleRefundFailedInput): Mail;
  };
  /** Origin without a trailing slash. */
  origin: string;
  supportEmail: string | null;
  /** Whether only the operator sells. */
  isSolo: boolean;
}

type RefundJob =
  | 'send-refund'
  | 'send-refund-failed'
  | 'send-sale-refunded'
  | 'send-sale-refund-failed';

/** What buyers and sellers are mailed of a refund. */
export function createRefundJobs({
  db,
  sendMail,
  mails,
  origin,
  supportEmail,
  isSolo,
}: RefundJobsContext): Pick<JobHandlers, RefundJob> {
  const toBuyer = { origin, supportEmail };
  const toSeller = { ...toBuyer, isSolo };

  /** Why it was refunded, the seller and the provider keep. */
  async function mailBuyer(refundId: string, write: (facts: RefundFacts) => Mail) {
    const { facts, buyerEmail } = await readRefund(db, refundId);
    if (buyerEmail) await sendMail(buyerEmail, write(facts));
  }
  /** Unless the account was deleted by now. */
  async function mailSeller(refundId: string, write: (facts: SoldFacts) => Mail) {
    const { facts, sellerId, reason } = await readRefund(db, refundId);
    const seller = await findSeller(db, sellerId);
    if (!seller) return;
    const { email, ...account } = seller;
    await sendMail(email, write({ ...facts, ...account, reason: reason ?? '' }));
  }

  return {
    'send-refund': ({ refundId }) =>
      mailBuyer(refundId, (facts) => mails.refundMade({ ...facts, ...toBuyer })),
    'send-refund-failed': ({ refundId }) =>
      mailBuyer(refundId, (facts) => mails.refundFailed({ ...facts, ...toBuyer })),
    'send-sale-refunded': ({ refundId }) =>
      mailSeller(refundId, (facts) => mails.saleRefunded({ ...facts, ...toSeller })),
    'send-sale-refund-failed': ({ refundId }) =>
      mailSeller(refundId, (facts) => mails.saleRefundFailed({ ...facts, ...toSeller })),
  };
}
