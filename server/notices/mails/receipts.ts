import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { seenText } from '../../../contract/characters.ts';
import type { Language } from '../../../contract/languages.ts';
import type { PurchaseFacts } from '../../../contract/mails.ts';
import { giverOf, mailboxOf } from '../../ground/database/mailbox-of.ts';
import { prepare } from '../../ground/database/prepare.ts';
import type { Database } from '../../ground/database/tables.ts';
import { canonicalAddress } from '../../ground/lib/canonical-address.ts';
import { findReturnable } from '../../selling/purchases/bought-twice.ts';
import type { GatherContext, Gathers } from './gather.ts';

/** How long a mailed link to all purchases of an address opens them, in milliseconds. */
const PURCHASES_LINK_MS = 60 * 60 * 1000;
/** How many gifts that an address paid for are mailed to it at once, the newest. */
const GIFTS_OF_MAIL = 20;
/** How long a code for one more browser is valid, in milliseconds. */
const ACCESS_CODE_MS = 10 * 60 * 1000;

export const receiptMails = {
  /**
   * Sends the buyer the receipt with the personal link, or for a gift one without it, unless the
   * payment is or was returned.
   */
  async 'send-receipt'(context, { purchaseId }) {
    const { db, links } = context;
    const [row] = await readBought(db, purchaseId);
    if (!row) throw new Error(`There is no settled purchase ${purchaseId}`);
    if (!row.buyer_email || row.grant_state === 'ended' || row.refunded_because) return [];
    const bought = { ...boughtFacts(row), paidAt: row.settled_at ?? 0 };
    if (row.gift_email !== null) {
      const facts = {
        ...bought,
        giftEmail: row.gift_email,
        giftMessage: row.gift_message,
        giftUrl: links.gift(purchaseId),
      };
      return [{ to: row.buyer_email, mail: 'giftReceipt', facts }];
    }
    const facts = {
      ...bought,
      personalUrl: links.personal(row.grant_id),
      boughtBefore: await findBoughtBefore(context, row.id),
      licenses: await findLicenses(db, row),
      updatesUrl: links.updates(row.grant_id),
    };
    return [{ to: row.buyer_email, mail: 'receipt', facts, ...noteRefusals(context, row) }];
  },

  /** Sends the recipient of a gift the personal link, unless the payment is or was returned. */
  async 'send-gift'(context, { purchaseId }) {
    const row = await selectBought(context.db)
      .where('purchase.id', '=', purchaseId)
      .where('access_grant.state', '=', 'active')
      .where('purchase.refunded_because', 'is', null)
      .select(['purchase.gift_email', 'purchase.gift_message as message'])
      .executeTakeFirst();
    if (!row?.gift_email) return [];
    const personalUrl = context.links.personal(row.grant_id);
    // Nobody else gives what costs nothing.
    const isFromSeller = row.price_cents === 0;
    const facts = { ...purchaseFacts(row), personalUrl, message: row.message, isFromSeller };
    return [{ to: row.gift_email, mail: 'gift', facts, ...noteRefusals(context, row) }];
  },

  /**
   * Sends the buyer one receipt of all that was paid at once, with a personal link for each but for those
   * whose payment is or was returned. The purchase is the first of them.
   */
  async 'send-cart-receipt'(context, { purchaseId }) {
    const rows = await selectBought(context.db)
      .innerJoin('purchase as first', 'first.payment_id', 'purchase.payment_id')
      .where('first.id', '=', purchaseId)
      .where('access_grant.state', '!=', 'ended')
      .where('purchase.refunded_because', 'is', null)
      .orderBy('purchase.line')
      .execute();
    const [first] = rows;
    if (!first?.buyer_email) return [];
    const lines = [];
    for (const row of rows) {
      const boughtBefore = await findBoughtBefore(context, row.id);
      const licenses = await findLicenses(context.db, row);
      const personalUrl = context.links.personal(row.grant_id);
      lines.push({ ...boughtFacts(row), personalUrl, boughtBefore, licenses });
    }
    const facts = { lines, paidAt: first.settled_at ?? 0, language: first.language };
    return [{ to: first.buyer_email, mail: 'cartReceipt', facts, ...noteRefusals(context, first) }];
  },

  /** Sends the personal link once more, unless the payment was returned or is disputed. */
  async 'send-reminder'(context, { purchaseId }) {
    const row = await selectBought(context.db)
      .where('purchase.id', '=', purchaseId)
      .where('access_grant.state', '=', 'active')
      .executeTakeFirst();
    if (!row?.buyer_email) return [];
    const facts = { ...purchaseFacts(row), personalUrl: context.links.personal(row.grant_id) };
    return [{ to: row.buyer_email, mail: 'reminder', facts, ...noteRefusals(context, row) }];
  },

  /**
   * Sends a link to everything that was paid with an address or given to it, and to each gift that it
   * paid for, unless there is nothing, or all of it was returned. It goes to the address as it was
   * written at the checkout.
   */
  async 'send-purchases'({ db, links, now }, { email }) {
    const address = canonicalAddress(email);
    const paid = db
      .selectFrom('purchase')
      .innerJoin('access_grant', 'access_grant.purchase_id', 'purchase.id')
      .where('purchase.settled_at', 'is not', null)
      .where('access_grant.state', '!=', 'ended')
      .orderBy('purchase.settled_at', 'desc')
      .select(['access_grant.id', 'purchase.language']);
    const purchases = await paid
      .where(sql<boolean>`${sql.raw(mailboxOf('purchase'))} = ${address}`)
      .select(MAILBOX)
      .execute();
    const given = await paid
      .where(sql<boolean>`${sql.raw(giverOf('purchase'))} = ${address}`)
      .where('purchase.gift_email', 'is not', null)
      .where('purchase.price_cents', '>', 0)
      .limit(GIFTS_OF_MAIL)
      .select(['purchase.id as purchase_id', 'purchase.link_id as linkId', 'purchase.title'])
      .select(['purchase.gift_email as giftEmail', 'purchase.buyer_email as mailbox'])
      .execute();
    const [newest] = purchases;
    const { mailbox: to = null, language = 'en' } = newest ?? given[0] ?? {};
    if (to === null) return [];
    const gifts = given.map(({ purchase_id, linkId, title, giftEmail }) => ({
      linkId,
      title,
      giftEmail: giftEmail ?? '',
      giftUrl: links.gift(purchase_id),
    }));
    const purchasesUrl = newest ? links.purchases(newest.id, now() + PURCHASES_LINK_MS) : null;
    const facts = { language, count: purchases.length, purchasesUrl, gifts };
    return [{ to, mail: 'purchases', facts }];
  },

  /**
   * Sends a code by which one more browser may hold the grant. It replaces the one before, and is
   * made here, so that no job ever held it.
   */
  async 'send-access-code'({ db, hashCode, now }, { grantId }) {
    const row = await db
      .selectFrom('access_grant')
      .innerJoin('purchase', 'purchase.id', 'access_grant.purchase_id')
      .where('access_grant.id', '=', grantId)
      .where('access_grant.state', '=', 'active')
      .select(['purchase.title', 'purchase.link_id', 'purchase.language'])
      .select(MAILBOX)
      .executeTakeFirst();
    if (!row?.mailbox) return [];
    const { title, link_id: linkId, language } = row;
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const kept = { hash: hashCode(grantId, code), expires_at: now() + ACCESS_CODE_MS, failures: 0 };
    await db
      .insertInto('access_code')
      .values({ grant_id: grantId, ...kept })
      .onConflict((conflict) => conflict.column('grant_id').doUpdateSet(kept))
      .execute();
    return [{ to: row.mailbox, mail: 'accessCode', facts: { language, code, title, linkId } }];
  },

  /** Tells the buyer that a delayed payment did not arrive, and where to try again. */
  async 'send-payment-failed'({ db }, { purchaseId }) {
    const row = await readUnsettled(db, purchaseId);
    if (!row.buyer_email) return [];
    const facts = { ...purchaseFacts(row), amountCents: row.price_cents };
    return [{ to: row.buyer_email, mail: 'paymentFailed', facts }];
  },

  /** Tells the buyer that Padlink refunds a payment unasked, and why. */
  async 'send-payment-returned'({ db }, { purchaseId }) {
    const row = await readUnsettled(db, purchaseId);
    const { buyer_email: to, refunded_because: because } = row;
    if (!to || !because) return [];
    const amountCents = row.price_cents + row.tax_cents;
    const facts = { ...purchaseFacts(row), amountCents, because };
    return [{ to, mail: 'paymentReturned', facts }];
  },
} satisfies Partial<Gathers>;

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
  'link.type',
  'link.media_type',
] as const;

const selectBought = (db: Database) =>
  db
    .selectFrom('purchase')
    .innerJoin('access_grant', 'access_grant.purchase_id', 'purchase.id')
    .innerJoin('link', 'link.id', 'purchase.link_id')
    .select(BOUGHT)
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('license_key')
          .whereRef('license_key.purchase_id', '=', 'purchase.id')
          .select('license_key.id'),
      ).as('has_licenses'),
    );

const readBought = prepare((db, purchaseId: string) =>
  selectBought(db)
    .where('purchase.id', '=', purchaseId)
    .select(['purchase.refunded_because', 'access_grant.state as grant_state'])
    .select(['purchase.gift_email', 'purchase.gift_message']),
);

const readUnsettled = (db: Database, purchaseId: string) =>
  db
    .selectFrom('purchase')
    .where('id', '=', purchaseId)
    .select(['id', 'link_id', 'title', 'seller_name', 'price_cents', 'tax_cents'])
    .select(['buyer_email', 'refunded_because', 'language'])
    .executeTakeFirstOrThrow();

/** The address whose mail opens a purchase, as it was typed. */
const MAILBOX = sql<string | null>`coalesce(purchase.gift_email, purchase.buyer_email)`.as(
  'mailbox',
);

/** Said in the mail alone: it reaches whoever has the mailbox, and not whoever typed its address. */
async function findBoughtBefore({ db, links, now }: GatherContext, purchaseId: string) {
  const earlier = await findReturnable(db, purchaseId, now());
  return earlier ? { paidAt: earlier.paidAt, returnUrl: links.giveBack(purchaseId) } : null;
}

/** The license keys that a purchase brought: of a bundle those of its parts. */
async function findLicenses(
  db: Database,
  { id, has_licenses }: { id: string; has_licenses: unknown },
) {
  if (!has_licenses) return [];
  const keys = await db
    .selectFrom('license_key')
    .innerJoin('link', 'link.id', 'license_key.link_id')
    .where('license_key.purchase_id', '=', id)
    .orderBy('link.created_at')
    .orderBy('link.id')
    .select(['link.id as linkId', 'link.title', 'license_key.key'])
    .execute();
  return keys.map(({ title, ...own }) => ({ ...own, title: seenText(title) }));
}

/** Notes with the purchase whether the mail server refuses the address, whoever's it is. */
function noteRefusals(
  { db, now }: GatherContext,
  { id, receipt_refused_at: refusedAt }: { id: string; receipt_refused_at: number | null },
) {
  const note = (receipt_refused_at: number | null) =>
    db.updateTable('purchase').set({ receipt_refused_at }).where('id', '=', id).execute();
  return {
    refused: () => note(now()),
    ...(refusedAt !== null && { accepted: () => note(null) }),
  };
}

interface PurchaseRow {
  id: string;
  link_id: string;
  title: string | null;
  seller_name: string | null;
  language: Language;
}

interface BoughtRow extends PurchaseRow {
  price_cents: number;
  tax_cents: number;
  /** Of the link as it is now. */
  type: string;
  media_type: string | null;
}

const boughtFacts = (row: BoughtRow) => ({
  ...purchaseFacts(row),
  face: { type: row.type, mediaType: row.media_type },
  amountCents: row.price_cents,
  taxCents: row.tax_cents,
});

export const purchaseFacts = ({
  id: purchaseId,
  link_id: linkId,
  title,
  seller_name: sellerName,
  language,
}: PurchaseRow): PurchaseFacts => ({ purchaseId, linkId, title, sellerName, language });
