import type { Language } from '../../contract/languages.ts';
import type { FileRefusedInput, Mail } from '../../contract/mails.ts';
import type { Database } from '../database/tables.ts';
import type { SendMail } from './smtp.ts';

interface DisputeFacts {
  language: Language;
  firstName: string;
  title: string | null;
  linkId: string;
  /** The order number. */
  purchaseId: string;
  amountCents: number;
  /** UTC milliseconds. */
  paidAt: number;
}

interface Context {
  db: Database;
  sendMail: SendMail;
  writePaymentDisputed: (facts: DisputeFacts) => Mail;
}

/**
 * Emails the seller that a payment is disputed, unless the dispute is over or the account deleted
 * by now. Of the buyer it says nothing.
 */
export async function sendPaymentDisputed(
  { db, sendMail, writePaymentDisputed }: Context,
  purchaseId: string,
): Promise<void> {
  const row = await db
    .selectFrom('purchase')
    .innerJoin('access_grant', 'access_grant.purchase_id', 'purchase.id')
    .innerJoin('user', 'user.id', 'purchase.seller_id')
    .where('purchase.id', '=', purchaseId)
    .where('access_grant.state', '=', 'suspended')
    .select([
      'purchase.link_id',
      'purchase.price_cents',
      'purchase.settled_at',
      'purchase.title',
      'user.email',
      'user.firstName',
      'user.language',
    ])
    .executeTakeFirst();
  if (!row) return;
  const mail = writePaymentDisputed({
    ...{ language: row.language, firstName: row.firstName },
    title: row.title,
    linkId: row.link_id,
    purchaseId,
    amountCents: row.price_cents,
    paidAt: row.settled_at ?? 0,
  });
  await sendMail(row.email, mail);
}

interface DoubleContext {
  db: Database;
  sendMail: SendMail;
  writeDoublePayment: (facts: Omit<DisputeFacts, 'paidAt'>) => Mail;
}

/** Emails the seller that a buyer paid twice, unless the account was deleted by now. */
export async function sendDoublePayment(
  { db, sendMail, writeDoublePayment }: DoubleContext,
  purchaseId: string,
): Promise<void> {
  const row = await db
    .selectFrom('purchase')
    .innerJoin('user', 'user.id', 'purchase.seller_id')
    .where('purchase.id', '=', purchaseId)
    .select(['purchase.link_id', 'purchase.title', 'purchase.price_cents'])
    .select(['user.email', 'user.firstName', 'user.language'])
    .executeTakeFirst();
  if (!row) return;
  const { email, link_id: linkId, price_cents: amountCents, ...facts } = row;
  await sendMail(email, writeDoublePayment({ ...facts, linkId, purchaseId, amountCents }));
}

interface RefusalContext {
  db: Database;
  sendMail: SendMail;
  writeFileRefused: (
    facts: Pick<FileRefusedInput, 'language' | 'firstName' | 'fileName' | 'because'>,
  ) => Mail;
}

/** Emails the creator that a file was refused, unless it or the account was deleted meanwhile. */
export async function sendFileRefused(
  { db, sendMail, writeFileRefused }: RefusalContext,
  blob: string,
): Promise<void> {
  const row = await db
    .selectFrom('file')
    .innerJoin('user', 'user.id', 'file.owner_id')
    .where('file.blob', '=', blob)
    .select(['file.name', 'file.refused_because'])
    .select(['user.email', 'user.firstName', 'user.language'])
    .executeTakeFirst();
  if (!row?.refused_because) return;
  const { email, name: fileName, refused_because: because, ...account } = row;
  await sendMail(email, writeFileRefused({ ...account, fileName, because }));
}
