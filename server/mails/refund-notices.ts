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

interface RefundContext {
  db: Database;
  sendMail: SendMail;
  writeRefundMade: (facts: RefundFacts) => Mail;
}

/** Emails the buyer that a refund is on its way. Why, the seller and the provider keep. */
async function sendRefund(
  { db, sendMail, writeRefundMade }: RefundContext,
  refundId: string,
): Promise<void> {
  const { facts, buyerEmail } = await readRefund(db, refundId);
  if (buyerEmail) await sendMail(buyerEmail, writeRefundMade(facts));
}

interface RefundFailedContext {
  db: Database;
  sendMail: SendMail;
  writeRefundFailed: (facts: RefundFacts) => Mail;
}

/** Emails the buyer that the bank sent a refund back, and what to do about it. */
async function sendRefundFailed(
  { db, sendMail, writeRefundFailed }: RefundFailedContext,
  refundId: string,
): Promise<void> {
  const { facts, buyerEmail } = await readRefund(db, refundId);
  if (buyerEmail) await sendMail(buyerEmail, writeRefundFailed(facts));
}

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

interface SaleRefundedContext {
  db: Database;
  sendMail: SendMail;
  writeSaleRefunded: (facts: RefundFacts & { firstName: string; reason: string }) => Mail;
}

/**
 * Emails the seller that the operator or the buyer decided a refund of a sale, unless the account was
 * deleted by now.
 */
async function sendSaleRefunded(
  { db, sendMail, writeSaleRefunded }: SaleRefundedContext,
  refundId: string,
): Promise<void> {
  const { facts, sellerId, reason } = await readRefund(db, refundId);
  const seller = await findSeller(db, sellerId);
  if (!seller) return;
  const { email, ...account } = seller;
  await sendMail(email, writeSaleRefunded({ ...facts, ...account, reason: reason ?? '' }));
}

interface SaleRefundFailedContext {
  db: Database;
  sendMail: SendMail;
  writeSaleRefundFailed: (facts: RefundFacts & { firstName: string }) => Mail;
}

/** Emails the seller that the bank sent a refund back, unless the account was deleted by now. */
async function sendSaleRefundFailed(
  { db, sendMail, writeSaleRefundFailed }: SaleRefundFailedContext,
  refundId: string,
): Promise<void> {
  const { facts, sellerId } = await readRefund(db, refundId);
  const seller = await findSeller(db, sellerId);
  if (!seller) return;
  const { email, ...account } = seller;
  await sendMail(email, writeSaleRefundFailed({ ...facts, ...account }));
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
  const context = { db, sendMail };
  const toBuyer = { origin, supportEmail };
  const toSeller = { ...toBuyer, isSolo };
  return {
    'send-refund': ({ refundId }) =>
      sendRefund(
        { ...context, writeRefundMade: (facts) => mails.refundMade({ ...facts, ...toBuyer }) },
        refundId,
      ),
    'send-refund-failed': ({ refundId }) =>
      sendRefundFailed(
        { ...context, writeRefundFailed: (facts) => mails.refundFailed({ ...facts, ...toBuyer }) },
        refundId,
      ),
    'send-sale-refunded': ({ refundId }) =>
      sendSaleRefunded(
        { ...context, writeSaleRefunded: (facts) => mails.saleRefunded({ ...facts, ...toSeller }) },
        refundId,
      ),
    'send-sale-refund-failed': ({ refundId }) =>
      sendSaleRefundFailed(
        {
          ...context,
          writeSaleRefundFailed: (facts) => mails.saleRefundFailed({ ...facts, ...toSeller }),
        },
        refundId,
      ),
  };
}
