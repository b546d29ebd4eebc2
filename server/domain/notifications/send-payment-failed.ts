import type { Database } from '../tables.ts';
import type { Mail, SendMail } from './mail.ts';

interface FailureFacts {
  title: string | null;
  linkId: string;
  amountCents: number;
}

export interface FailureContext {
  db: Database;
  sendMail: SendMail;
  writePaymentFailed: (facts: FailureFacts) => Mail;
}

/** Mails the buyer that a payment which took its time did not come, and where to try again. */
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
