import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { dialectOf } from '../../ground/database/dialect.ts';
import { addressOfRecipient } from '../../ground/database/mailbox-of.ts';
import type { Database, DatabaseTransaction } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { canonicalAddress } from '../../ground/lib/canonical-address.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import type { Signer } from '../../ground/lib/signer.ts';
import {
  isGivenBySeller,
  readMailbox,
  refusedGift,
  requireGiftsLeft,
  resendGift,
} from '../../selling/purchases/gifts.ts';
import type { AccessGrant, Purchase } from '../../selling/purchases/tables.ts';

/** What the link in the receipt of a gift carries, by which its buyer looks after it. */
export type GiftTicket = z.infer<typeof GIFT_TICKET>;
export const GIFT_TICKET = z.object({ purchaseId: z.string() });

interface Context {
  db: Database;
  signer: Signer<GiftTicket>;
}

/** A gift as its buyer sees it. */
interface GivenGift {
  linkId: string;
  title: string | null;
  email: string;
  isOpened: boolean;
  /** Its seller gave it, for nothing. */
  isFromSeller: boolean;
  state: AccessGrant['state'];
}

/** @throws DomainError ACCESS_LINK_INVALID */
export async function findGivenGift(
  { db, signer }: Context,
  token: string,
): Promise<GivenGift & { purchaseId: string }> {
  const ticket = signer.read(token);
  const gift =
    ticket &&
    (await db
      .selectFrom('purchase')
      .innerJoin('access_grant', 'access_grant.purchase_id', 'purchase.id')
      .where('purchase.id', '=', ticket.purchaseId)
      .select(['purchase.link_id', 'purchase.title', 'gift_email', 'gift_opened_at'])
      .select('purchase.price_cents')
      .select('access_grant.state')
      .executeTakeFirst());
  if (!ticket || !gift?.gift_email) {
    const why = 'This link is incomplete or no longer valid. Copy all of it from your receipt.';
    throw new DomainError('ACCESS_LINK_INVALID', why);
  }
  return {
    purchaseId: ticket.purchaseId,
    linkId: gift.link_id,
    title: gift.title,
    email: gift.gift_email,
    isOpened: gift.gift_opened_at !== null,
    isFromSeller: isGivenBySeller(gift),
    state: gift.state,
  };
}

/**
 * Sends a gift again, for its buyer: to its address, or to another one as long as nobody has opened
 * it. Then the personal link that was sent before opens nothing any more.
 * @throws DomainError ACCESS_LINK_INVALID, GIFT_REFUSED, RATE_LIMITED
 */
export async function sendGiftAgain(
  context: Context & {
    now: () => number;
    limits: { take(name: 'receiptsResent', purchaseId: string): Promise<unknown> };
  },
  { token, address }: { token: string; address: string },
): Promise<void> {
  const { purchaseId } = await findGivenGift(context, token);
  const email = readMailbox(address);
  await context.limits.take('receiptsResent', purchaseId);
  const now = context.now();
  await transaction(context.db, async (trx) => {
    const { grant, purchase } = await lockGift(trx, purchaseId);
    if (grant.state !== 'active') throw refusedGift('This gift cannot be opened at the moment.');
    if (canonicalAddress(email) !== canonicalAddress(purchase.gift_email ?? '')) {
      if (purchase.gift_opened_at !== null) {
        throw refusedGift('This gift has been opened, so it cannot go to another address.');
      }
      // Each address would get a mail that nobody paid for, and that no limit counts.
      if (isGivenBySeller(purchase)) throw refusedGift(GIVE_AGAIN);
      await requireGiftsLeft(trx, { email }, purchase, now);
      await sendElsewhere(trx, { grant, email });
    }
    if (await resendGift(trx, purchaseId, now)) return;
    throw refusedGift('This gift cannot be sent again. Contact support if it did not arrive.');
  });
}

const GIVE_AGAIN = 'Give the link to the other address on your page “Codes and gifts”.';

/** The grant is what opening it locks as well: whichever comes first, the other sees. */
async function lockGift(
  trx: DatabaseTransaction,
  purchaseId: string,
): Promise<{ grant: AccessGrant; purchase: Purchase }> {
  const grant = await trx
    .selectFrom('access_grant')
    .where('purchase_id', '=', purchaseId)
    .selectAll()
    .$if(dialectOf(trx) === 'postgres', (query) => query.forUpdate())
    .executeTakeFirstOrThrow();
  const purchase = await trx
    .selectFrom('purchase')
    .where('id', '=', purchaseId)
    .selectAll()
    .executeTakeFirstOrThrow();
  return { grant, purchase };
}

/** A personal link names the grant: with another id, those that were sent name none. */
async function sendElsewhere(
  trx: DatabaseTransaction,
  { grant, email }: { grant: AccessGrant; email: string },
): Promise<void> {
  for (const table of ['access_code', 'earlier_personal_link'] as const) {
    await trx.deleteFrom(table).where('grant_id', '=', grant.id).execute();
  }
  await trx
    .updateTable('access_grant')
    .set({ id: randomUUID() })
    .where('id', '=', grant.id)
    .execute();
  await trx
    .updateTable('purchase')
    .set({ ...addressOfRecipient(email), receipt_refused_at: null })
    .where('id', '=', grant.purchase_id)
    .execute();
}
