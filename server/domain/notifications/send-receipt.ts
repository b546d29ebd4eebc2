import type { Signer } from '../signer.ts';
import type { Database } from '../tables.ts';
import type { Mail, SendMail } from './mail.ts';

interface ReceiptFacts {
  title: string | null;
  linkId: string;
  amountCents: number;
  /** UTC milliseconds. */
  paidAt: number;
  /** Of the personal link, which opens the purchase in any browser. */
  token: string;
}

export interface ReceiptContext {
  db: Database;
  sendMail: SendMail;
  writeReceipt: (facts: ReceiptFacts) => Mail;
  signer: Signer<{ grantId: string }>;
}

/** Mails the buyer what they bought and the personal link to it, unless it was given back. */
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
