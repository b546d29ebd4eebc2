import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type { Language } from '../../contract/languages.ts';
import type { AccessCodeInput, Mail, PaymentReturnedInput } from '../../contract/mails.ts';
import { prepare } from '../database/prepare.ts';
import type { Database } from '../database/tables.ts';
import { canonicalAddress } from '../lib/canonical-address.ts';
import { mailboxOf } from '../lib/mailbox-of.ts';
import type { Signer } from '../lib/signer.ts';
import { findReturnable } from '../payments/bought-twice.ts';
import type { SendMail } from './smtp.ts';

/** What a purchase is known by. */
export interface PurchaseFacts {
  /** As it was when the checkout began, like the seller's name. */
  title: string | null;
  sellerName: string | null;
  linkId: string;
  /** The order number. */
  purchaseId: string;
  /** That the buyer is written to in. */
  language: Language;
}

interface ReceiptFacts extends PurchaseFacts {
  /** The price, before the tax. */
  amountCents: number;
  taxCents: number;
  /** UTC milliseconds. */
  paidAt: number;
  /** Of the personal link, which opens the purchase in any browser. */
  token: string;
  /** Since when the address that paid has had it, and the ticket that gives this one back. */
  boughtBefore: { paidAt: number; token: string } | null;
  /** Of the address at which new versions are asked for. */
  updatesToken: string;
}

interface GiftReceiptFacts extends Omit<ReceiptFacts, 'token' | 'boughtBefore' | 'updatesToken'> {
  giftEmail: string;
  giftMessage: string | null;
  /** Of the address at which the buyer looks after the gift. */
  giftToken: string;
}

interface ReceiptContext {
  db: Database;
  sendMail: SendMail;
  writeReceipt: (facts: ReceiptFacts) => Mail;
  writeGiftReceipt: (facts: GiftReceiptFacts) => Mail;
  signer: Signer<{ grantId: string }>;
  giftSigner: Signer<{ purchaseId: string }>;
  returnSigner: Signer<{ purchaseId: string; mailed: boolean }>;
  updatesSigner: Signer<{ grantId: string }>;
  now: () => number;
}

/**
 * Emails the buyer the receipt with the personal link, or one without it of a gift, unless the
 * payment is or was returned.
 */
export async function sendReceipt(context: ReceiptContext, purchaseId: string): Promise<void> {
  const [row] = await readBought(context.db, purchaseId);
  if (!row) throw new Error(`There is no settled purchase ${purchaseId}`);
  if (!row.buyer_email || row.grant_state === 'ended' || row.refunded_because) return;
  if (row.gift_email !== null) {
    const { token: _, ...facts } = boughtFacts(context, row);
    const mail = context.writeGiftReceipt({
      ...{ ...facts, paidAt: row.settled_at ?? 0 },
      ...{ giftEmail: row.gift_email, giftMessage: row.gift_message },
      giftToken: context.giftSigner.sign({ purchaseId }),
    });
    return context.sendMail(row.buyer_email, mail);
  }
  const mail = context.writeReceipt({
    ...boughtFacts(context, row),
    boughtBefore: await findBoughtBefore(context, row.id),
    paidAt: row.settled_at ?? 0,
    updatesToken: context.updatesSigner.sign({ grantId: row.grant_id }),
  });
  const buyer = { purchaseId, address: row.buyer_email, refusedAt: row.receipt_refused_at };
  await mailBuyer(context, buyer, mail);
}

const readBought = prepare((db, purchaseId: string) =>
  db
    .selectFrom('purchase')
    .innerJoin('access_grant', 'access_grant.purchase_id', 'purchase.id')
    .where('purchase.id', '=', purchaseId)
    .select(BOUGHT)
    .select(['purchase.refunded_because', 'access_grant.state as grant_state'])
    .select(['purchase.gift_email', 'purchase.gift_message']),
);

interface GiftContext extends Pick<ReceiptContext, 'db' | 'sendMail' | 'signer' | 'now'> {
  writeGift: (
    facts: PurchaseFacts & Pick<ReceiptFacts, 'token'> & { message: string | null },
  ) => Mail;
}

/** Emails the recipient of a gift the personal link, unless the payment is or was returned. */
export async function sendGift(context: GiftContext, purchaseId: string): Promise<void> {
  const row = await context.db
    .selectFrom('purchase')
    .innerJoin('access_grant', 'access_grant.purchase_id', 'purchase.id')
    .where('purchase.id', '=', purchaseId)
    .where('access_grant.state', '=', 'active')
    .where('purchase.refunded_because', 'is', null)
    .select(BOUGHT)
    .select(['purchase.gift_email', 'purchase.gift_message as message'])
    .executeTakeFirst();
  if (!row?.gift_email) return;
  const token = context.signer.sign({ grantId: row.grant_id });
  const mail = context.writeGift({ ...purchaseFacts(row), token, message: row.message });
  const recipient = { purchaseId, address: row.gift_email, refusedAt: row.receipt_refused_at };
  await mailBuyer(context, recipient, mail);
}

interface CartReceiptContext
  extends Pick<ReceiptContext, 'db' | 'sendMail' | 'signer' | 'returnSigner' | 'now'> {
  writeReceipt: (facts: {
    lines: Omit<ReceiptFacts, 'paidAt' | 'updatesToken'>[];
    paidAt: number;
    language: Language;
  }) => Mail;
}

/**
 * Emails the buyer one receipt of all lines of a cart, with a personal link for each but for those
 * whose payment is or was returned.
 * @param purchaseId of its first line
 */
export async function sendCartReceipt(
  context: CartReceiptContext,
  purchaseId: string,
): Promise<void> {
  const rows = await context.db
    .selectFrom('purchase as first')
    .innerJoin('purchase', 'purchase.cart_id', 'first.cart_id')
    .innerJoin('access_grant', 'access_grant.purchase_id', 'purchase.id')
    .where('first.id', '=', purchaseId)
    .where('access_grant.state', '!=', 'ended')
    .where('purchase.refunded_because', 'is', null)
    .orderBy('purchase.cart_line')
    .select(BOUGHT)
    .execute();
  const [first] = rows;
  if (!first?.buyer_email) return;
  const lines = [];
  for (const row of rows) {
    const boughtBefore = await findBoughtBefore(context, row.id);
    lines.push({ ...boughtFacts(context, row), boughtBefore });
  }
  const mail = context.writeReceipt({
    lines,
    paidAt: first.settled_at ?? 0,
    language: first.language,
  });
  const buyer = {
    ...{ purchaseId: first.id, address: first.buyer_email },
    refusedAt: first.receipt_refused_at,
  };
  await mailBuyer(context, buyer, mail);
}

const BOUGHT = [
  'purchase.id',
  'purchase.link_id',
  'purchase.title',
  'purchase.seller_name',
  'purchase.price_cents',
  'purchase.tax_cents',
  'purchase.buyer_email',
  'purchase.settled_at',
  'purchase.receipt_refused_at',
  'purchase.language',
  'access_grant.id as grant_id',
] as const;

interface BoughtRow extends PurchaseRow {
  price_cents: number;
  tax_cents: number;
  grant_id: string;
}

const boughtFacts = ({ signer }: Pick<ReceiptContext, 'signer'>, row: BoughtRow) => ({
  ...purchaseFacts(row),
  amountCents: row.price_cents,
  taxCents: row.tax_cents,
  token: signer.sign({ grantId: row.grant_id }),
});

/** Said in the mail alone: it reaches whoever has the mailbox, and not whoever typed its address. */
async function findBoughtBefore(
  { db, returnSigner, now }: Pick<ReceiptContext, 'db' | 'returnSigner' | 'now'>,
  purchaseId: string,
): Promise<ReceiptFacts['boughtBefore']> {
  const earlier = await findReturnable(db, purchaseId, now());
  return earlier
    ? { paidAt: earlier.paidAt, token: returnSigner.sign({ purchaseId, mailed: true }) }
    : null;
}

/** Notes with the purchase whether the mail server refuses the address, whoever's it is. */
async function mailBuyer(
  { db, sendMail, now }: Pick<ReceiptContext, 'db' | 'sendMail' | 'now'>,
  {
    purchaseId,
    address,
    refusedAt,
  }: { purchaseId: string; address: string; refusedAt: number | null },
  mail: Mail,
): Promise<void> {
  const note = (receipt_refused_at: number | null) =>
    db.updateTable('purchase').set({ receipt_refused_at }).where('id', '=', purchaseId).execute();
  try {
    await sendMail(address, mail);
  } catch (error) {
    if (isRefused(error)) await note(now());
    throw error;
  }
  if (refusedAt !== null) await note(null);
}

/** For good: with a 5xx answer to the recipient. */
function isRefused(error: unknown): boolean {
  const { responseCode = 0, command = '' } = error as { responseCode?: number; command?: string };
  return responseCode >= 500 && command.startsWith('RCPT');
}

interface ReminderContext extends Pick<ReceiptContext, 'db' | 'sendMail' | 'signer' | 'now'> {
  writeReminder: (facts: PurchaseFacts & Pick<ReceiptFacts, 'token'>) => Mail;
}

/** Emails the buyer the personal link once more, unless the payment was returned or is disputed. */
export async function sendReminder(context: ReminderContext, purchaseId: string): Promise<void> {
  const row = await context.db
    .selectFrom('purchase')
    .innerJoin('access_grant', 'access_grant.purchase_id', 'purchase.id')
    .where('purchase.id', '=', purchaseId)
    .where('access_grant.state', '=', 'active')
    .select(['purchase.id', 'purchase.link_id', 'purchase.title', 'purchase.seller_name'])
    .select(['purchase.buyer_email', 'purchase.receipt_refused_at', 'access_grant.id as grant_id'])
    .select('purchase.language')
    .executeTakeFirst();
  if (!row?.buyer_email) return;
  const token = context.signer.sign({ grantId: row.grant_id });
  const mail = context.writeReminder({ ...purchaseFacts(row), token });
  const buyer = { purchaseId, address: row.buyer_email, refusedAt: row.receipt_refused_at };
  await mailBuyer(context, buyer, mail);
}

/** The address whose mail opens a purchase, as it was typed. */
const MAILBOX = sql<string | null>`coalesce(purchase.gift_email, purchase.buyer_email)`.as(
  'mailbox',
);

/** How long a mailed link to all purchases of an address opens them, in milliseconds. */
const PURCHASES_LINK_MS = 60 * 60 * 1000;

interface PurchasesContext {
  db: Database;
  sendMail: SendMail;
  writePurchases: (facts: { count: number; token: string; language: Language }) => Mail;
  signer: Signer<{ purchaseId: string; expiresAt: number }>;
  now: () => number;
}

/**
 * Emails a link to everything that was paid with an address or given to it, unless nothing was, or
 * all of it was returned. It goes to the address as it was written at the checkout.
 */
export async function sendPurchases(
  { db, sendMail, writePurchases, signer, now }: PurchasesContext,
  email: string,
): Promise<void> {
  const purchases = await db
    .selectFrom('purchase')
    .innerJoin('access_grant', 'access_grant.purchase_id', 'purchase.id')
    .where(sql<boolean>`${sql.raw(mailboxOf('purchase'))} = ${canonicalAddress(email)}`)
    .where('purchase.settled_at', 'is not', null)
    .where('access_grant.state', '!=', 'ended')
    .orderBy('purchase.settled_at', 'desc')
    .select(['purchase.id', 'purchase.language'])
    .select(MAILBOX)
    .execute();
  const [newest] = purchases;
  if (!newest?.mailbox) return;
  const expiresAt = now() + PURCHASES_LINK_MS;
  const token = signer.sign({ purchaseId: newest.id, expiresAt });
  await sendMail(
    newest.mailbox,
    writePurchases({ count: purchases.length, token, language: newest.language }),
  );
}

/** How long a code for one more browser is valid, in milliseconds. */
const ACCESS_CODE_MS = 10 * 60 * 1000;

interface CodeContext {
  db: Database;
  sendMail: SendMail;
  writeCode: (facts: Omit<AccessCodeInput, 'origin'>) => Mail;
  hashCode(grantId: string, code: string): string;
  now: () => number;
}

/**
 * Emails the buyer a code by which one more browser may hold the grant. It replaces the one before,
 * and is made here, so that no job ever held it.
 */
export async function sendAccessCode(
  { db, sendMail, writeCode, hashCode, now }: CodeContext,
  grantId: string,
): Promise<void> {
  const row = await db
    .selectFrom('access_grant')
    .innerJoin('purchase', 'purchase.id', 'access_grant.purchase_id')
    .where('access_grant.id', '=', grantId)
    .where('access_grant.state', '=', 'active')
    .select(['purchase.title', 'purchase.link_id', 'purchase.language'])
    .select(MAILBOX)
    .executeTakeFirst();
  if (!row?.mailbox) return;
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const kept = { hash: hashCode(grantId, code), expires_at: now() + ACCESS_CODE_MS, failures: 0 };
  await db
    .insertInto('access_code')
    .values({ grant_id: grantId, ...kept })
    .onConflict((conflict) => conflict.column('grant_id').doUpdateSet(kept))
    .execute();
  await sendMail(
    row.mailbox,
    writeCode({ code, title: row.title, linkId: row.link_id, language: row.language }),
  );
}

export interface FailureFacts extends PurchaseFacts {
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
    .where('id', '=', purchaseId)
    .select(['id', 'link_id', 'title', 'seller_name', 'price_cents', 'buyer_email', 'language'])
    .executeTakeFirstOrThrow();
  if (!row.buyer_email) return;
  const facts = { ...purchaseFacts(row), amountCents: row.price_cents };
  await sendMail(row.buyer_email, writePaymentFailed(facts));
}

interface ReturnContext {
  db: Database;
  sendMail: SendMail;
  writePaymentReturned: (facts: FailureFacts & Pick<PaymentReturnedInput, 'because'>) => Mail;
}

/** Emails the buyer that Padlink refunds a payment unasked, and why. */
export async function sendPaymentReturned(
  { db, sendMail, writePaymentReturned }: ReturnContext,
  purchaseId: string,
): Promise<void> {
  const row = await db
    .selectFrom('purchase')
    .where('id', '=', purchaseId)
    .select(['id', 'link_id', 'title', 'seller_name', 'price_cents', 'tax_cents'])
    .select(['buyer_email', 'refunded_because', 'language'])
    .executeTakeFirstOrThrow();
  if (!row.buyer_email || !row.refunded_because) return;
  const amountCents = row.price_cents + row.tax_cents;
  const facts = { ...purchaseFacts(row), amountCents };
  await sendMail(
    row.buyer_email,
    writePaymentReturned({ ...facts, because: row.refunded_because }),
  );
}

interface PurchaseRow {
  id: string;
  link_id: string;
  title: string | null;
  seller_name: string | null;
  language: Language;
}

export const purchaseFacts = ({
  id: purchaseId,
  link_id: linkId,
  title,
  seller_name: sellerName,
  language,
}: PurchaseRow): PurchaseFacts => ({ purchaseId, linkId, title, sellerName, language });
