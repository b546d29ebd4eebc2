import { sql } from 'kysely';
import { z } from 'zod';
import { holdsAddress, isBlank, isLongerThan } from '../../../contract/characters.ts';
import { fact, type Said } from '../../../contract/fact.ts';
import { MAX_GIFT_MESSAGE_LENGTH } from '../../../contract/limits.ts';
import { mailboxOf } from '../../ground/database/mailbox-of.ts';
import type { Database, DatabaseTransaction } from '../../ground/database/tables.ts';
import { canonicalAddress } from '../../ground/lib/canonical-address.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { DAY_MS } from '../../ground/lib/time.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';
import { byBuyer, type Visitor } from './queries.ts';
import type { Purchase } from './tables.ts';

/** Whom a purchase is given to, and in what words. */
export interface Gift {
  email: string;
  message: string | null;
}

export function giftOf({
  gift_email: email,
  gift_message: message,
}: Pick<Purchase, 'gift_email' | 'gift_message'>): Gift | null {
  return email === null ? null : { email, message };
}

/** A buyer cannot give what costs nothing: anybody could have strangers mailed. */
export const isGivenBySeller = ({
  gift_email: email,
  price_cents: cents,
}: Pick<Purchase, 'gift_email' | 'price_cents'>): boolean => email !== null && cents === 0;

export const refusedGift = (why: Said) => new DomainError('GIFT_REFUSED', why);

/**
 * As the browser's own field has it, its domain as mail servers look it up, and one that mail can
 * reach from outside.
 */
const MAILBOX = z
  .email({ pattern: z.regexes.html5Email })
  .max(254)
  .regex(/@.+\../);

/** What mail programs do not show at all. */
const CONTROL = /[^\P{C}\n\u200d]/gu;

/**
 * An address as it was typed, but for the space around it.
 * @throws DomainError GIFT_REFUSED
 */
export function readMailbox(typed: string): string {
  const email = typed.trim();
  if (MAILBOX.safeParse(canonicalAddress(email)).success) return email;
  throw refusedGift('Enter the email address that the gift goes to, such as name@example.com.');
}

/**
 * A gift as it was typed. Its message is written to a stranger in our name: it is text, in which
 * nothing can be followed.
 * @throws DomainError GIFT_REFUSED
 */
export function readGift(typed: { email: string; message?: string | null | undefined }): Gift {
  const email = readMailbox(typed.email);
  const message = (typed.message ?? '').replace(/\r\n?/g, '\n').replace(CONTROL, '').trim();
  if (isLongerThan(message, MAX_GIFT_MESSAGE_LENGTH)) {
    throw refusedGift(
      fact('The message can have {limit} characters at most.', { limit: MAX_GIFT_MESSAGE_LENGTH }),
    );
  }
  if (holdsAddress(message)) {
    throw refusedGift(
      'The message cannot contain web or email addresses. Put a space after each period.',
    );
  }
  return { email, message: isBlank(message) ? null : message };
}

/** Gifts that one mailbox is sent in a day, whoever gives them. */
const MAX_GIFTS_TO_MAILBOX = 5;
/** Gifts that a buyer gives in a day. */
const MAX_GIFTS_OF_BUYER = 20;

/**
 * Refuses a gift too many. Those that were paid for count, so that nobody can keep a mailbox from
 * getting any.
 * @throws DomainError GIFT_REFUSED
 */
export async function requireGiftsLeft(
  db: Database,
  { email }: Pick<Gift, 'email'>,
  buyer: Omit<Visitor, 'link_id'>,
  now: number,
): Promise<void> {
  const ofDay = db
    .selectFrom('purchase')
    .where('settled_at', '>', now - DAY_MS)
    .where('gift_email', 'is not', null)
    .select(({ fn }) => fn.countAll<number | string>().as('count'));
  const toMailbox = await ofDay
    .where(sql<boolean>`${sql.raw(mailboxOf('purchase'))} = ${canonicalAddress(email)}`)
    .executeTakeFirstOrThrow();
  if (Number(toMailbox.count) >= MAX_GIFTS_TO_MAILBOX) {
    throw refusedGift('No more gifts can be sent to this address today.');
  }
  const ofBuyer = await ofDay.where(byBuyer(buyer)).executeTakeFirstOrThrow();
  if (Number(ofBuyer.count) >= MAX_GIFTS_OF_BUYER) {
    throw refusedGift('You cannot give any more gifts today.');
  }
}

/** How often a gift is sent again, to whichever address and whoever asks. */
const MAX_GIFT_RESENDS = 5;

/**
 * Has a gift sent again, in place of a job that waits to send it.
 * @returns false where it was sent as often as it can be
 */
export async function resendGift(
  trx: DatabaseTransaction,
  purchaseId: string,
  now: number,
): Promise<boolean> {
  const counted = await trx
    .updateTable('purchase')
    .set(({ eb }) => ({ gift_resends: eb('gift_resends', '+', 1) }))
    .where('id', '=', purchaseId)
    .where('gift_email', 'is not', null)
    .where('gift_resends', '<', MAX_GIFT_RESENDS)
    .returning('id')
    .executeTakeFirst();
  if (!counted) return false;
  await trx
    .deleteFrom('job')
    .where('kind', '=', 'send-gift')
    .where('payload', '=', JSON.stringify({ purchaseId }))
    .where('locked_until', '<=', now)
    .execute();
  await enqueue(trx, 'send-gift', { purchaseId }, now);
  return true;
}
