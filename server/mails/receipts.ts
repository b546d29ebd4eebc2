import type { Mail } from '../../contract/mails.ts';
import type { Database } from '../database/tables.ts';
import type { Signer } from '../lib/signer.ts';
import type { SendMail } from './smtp.ts';

interface ReceiptFacts {
  title: string | null;
  linkId: string;
  amountCents: number;
  /** UTC milliseconds. */
  paidAt: number;
  /** Of the personal link, which opens the purchase in any browser. */
  token: string;
}

interface ReceiptContext {
  db: Database;
  sendMail: SendMail;
  writeReceipt: (facts: ReceiptFacts) => Mail;
  signer: Signer<{ grantId: string }>;
}

/** Emails the buyer the receipt with the personal link, unless the payment was returned. */
export async function sendReceipt(context: ReceiptContext, purchaseId: string): Promise<void> {
  const row = await context.db
    .selectFrom('purchase')
    .innerJoin('link', 'link.id', 'purchase.link_id')
    .innerJoin('access_grant', 'access_grant.purchase_id', 'purchase.id')
    .where('purchase.id', '=', purchaseId)
    .select([
      'purchase.link_id',
      'purchase.price_cents',
      'purchase.buyer_email',
      'purchase.settled_at',
      'link.title',
      'access_grant.id as grant_id',
      'access_grant.state as grant_state',
    ])
    .executeTakeFirstOrThrow();
  if (!row.buyer_email || row.grant_state === 'ended') return;
  const mail = context.writeReceipt({
    title: row.title,
    linkId: row.link_id,
    amountCents: row.price_cents,
    paidAt: row.settled_at ?? 0,
    token: context.signer.sign({ grantId: row.grant_id }),
  });
  await context.sendMail(row.buyer_email, mail);
}

interface FailureFacts {
  title: string | null;
  linkId: string;
  amountCents: number;
}

interface FailureContext {
  db: Database;
  sendMail: SendMail;
  writePaymentFailed: (facts: FailureFacts) => Mail;
}

/** Emails the buyer that a delayed payment did not arrive, and where to try again. */
export async function sendPaymentFailed(
  { db, sendMail, writePaymentFailed }: FailureContext,
  purchaseId: string,
): Promise<void> {
  const row = await db
    .selectFrom('purchase')
    .innerJoin('link', 'link.id', 'purchase.link_id')
    .where('purchase.id', '=', purchaseId)
    .select(['link.id', 'link.title', 'purchase.price_cents', 'purchase.buyer_email'])
    .executeTakeFirstOrThrow();
  if (!row.buyer_email) return;
  const facts = { title: row.title, linkId: row.id, amountCents: row.price_cents };
  await sendMail(row.buyer_email, writePaymentFailed(facts));
}
