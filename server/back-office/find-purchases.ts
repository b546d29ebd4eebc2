import { sql } from 'kysely';
import { formatBytes } from '../../contract/format.ts';
import { isolate } from '../../contract/isolate.ts';
import { DEFAULT_PAGE_SIZE } from '../../contract/limits.ts';
import { formatCents } from '../../contract/money.ts';
import type { Database } from '../database/tables.ts';
import { canonicalAddress } from '../lib/canonical-address.ts';
import { giverOf, mailboxOf } from '../lib/mailbox-of.ts';
import { findPaid, selectPurchases } from '../payments/queries.ts';
import type { Purchase } from '../payments/tables.ts';

/**
 * The purchases of an email address, gifts to it included, newest first, at most 50; or the one that has this order number,
 * or this id at the payment provider. Of a checkout that was not paid, no address is known.
 */
export async function findPurchases(db: Database, search: string): Promise<Purchase[]> {
  const words = search.trim();
  const purchases = selectPurchases(db);
  if (words.includes('@')) {
    return purchases
      .where(({ eb, and, or }) => {
        const address = canonicalAddress(words);
        const isMailbox = eb(sql<string>`${sql.raw(mailboxOf('purchase'))}`, '=', address);
        const isGiver = eb(sql<string>`${sql.raw(giverOf('purchase'))}`, '=', address);
        return or([isMailbox, and([eb('gift_email', 'is not', null), isGiver])]);
      })
      .where('settled_at', 'is not', null)
      .orderBy('settled_at', 'desc')
      .orderBy('purchase.id', 'desc')
      .limit(DEFAULT_PAGE_SIZE)
      .execute();
  }
  if (words.startsWith('pi_')) return findPaid(db, words);
  return purchases.where('purchase.id', '=', words).execute();
}

/** Something that happened to a purchase, as a sentence; UTC milliseconds. */
export interface Happening {
  at: number;
  words: string;
}

const dollars = (cents: number) => `$${formatCents(cents)}`;

const ENDS: Partial<Record<Purchase['state'], string>> = {
  failed: 'The payment failed.',
  expired: 'The checkout expired without a payment.',
};

const GRANTS: Record<string, string> = {
  suspended: 'Access is suspended, because the payment is disputed.',
  ended: 'Access has ended, because the payment was returned.',
};

/** All that is known to have happened to a purchase, oldest first. */
export async function tellStory(db: Database, purchase: Purchase): Promise<Happening[]> {
  const end = ENDS[purchase.state];
  const browser = purchase.buyer_browser ? ` (${purchase.buyer_browser})` : '';
  const story: (Happening | false)[] = [
    {
      at: purchase.created_at,
      words: `The checkout began, for ${dollars(purchase.price_cents)}${browser}.`,
    },
    end !== undefined && { at: purchase.expires_at, words: end },
    purchase.settled_at !== null && {
      at: purchase.settled_at,
      words: `${dollars(purchase.price_cents + purchase.tax_cents)} was paid; the fee is ${dollars(purchase.fee_cents)}.`,
    },
    purchase.settled_at !== null &&
      purchase.gift_email !== null && {
        at: purchase.settled_at,
        words: `It is a gift to ${purchase.gift_email}.`,
      },
    purchase.undelivered_at !== null && {
      at: purchase.undelivered_at,
      words:
        purchase.gift_email === null
          ? 'Nothing had been downloaded, so the buyer was reminded by email.'
          : 'Nothing of the gift had been downloaded.',
    },
    purchase.receipt_refused_at !== null && {
      at: purchase.receipt_refused_at,
      words:
        purchase.gift_email === null
          ? 'The mail server of the buyer refused an email.'
          : 'The mail server of the recipient refused an email.',
    },
    ...(await tellAccess(db, purchase.id)),
    ...(await tellReturns(db, purchase.id)),
    ...(await tellWaitingJobs(db, purchase.id)),
  ];
  return story.filter((happening) => happening !== false).sort((one, other) => one.at - other.at);
}

/** Who holds it, and what was sent to them. */
async function tellAccess(db: Database, purchaseId: string): Promise<Happening[]> {
  const grant = await db
    .selectFrom('access_grant')
    .where('purchase_id', '=', purchaseId)
    .select(['id', 'state', 'updated_at'])
    .executeTakeFirst();
  if (!grant) return [];
  const claims = await db
    .selectFrom('grant_claim')
    .where('grant_id', '=', grant.id)
    .where('claimed_at', '>', 0)
    .select('claimed_at')
    .execute();
  const deliveries = await db
    .selectFrom('delivery')
    .leftJoin('file', 'file.key', 'delivery.file_key')
    .where('grant_id', '=', grant.id)
    .select(['delivery.file_key', 'file.name', 'bytes_sent', 'outcome', 'ended_at'])
    .execute();
  const standing = GRANTS[grant.state];
  return [
    ...(standing === undefined ? [] : [{ at: grant.updated_at, words: standing }]),
    ...claims.map(({ claimed_at: at }) => ({ at, words: 'The personal link was opened.' })),
    ...deliveries.map(({ ended_at: at, file_key, name, bytes_sent, outcome }) => {
      const file = isolate(name ?? file_key);
      const sent = formatBytes(bytes_sent);
      return {
        at,
        words: {
          delivered: `${file} was downloaded: ${sent} were sent.`,
          broken: `A download of ${file} broke off: ${sent} were sent.`,
          handed_over: `${file} was handed over to be sent.`,
        }[outcome],
      };
    }),
  ];
}

const REFUNDS: Record<string, string> = {
  requested: 'was asked for',
  pending: 'is under way',
  succeeded: 'was made',
  failed: 'failed',
};

const DISPUTES: Record<string, string> = {
  inquiry: 'The bank of the buyer asked about it',
  open: 'The payment was disputed',
  lost: 'The payment was disputed, and the dispute lost',
  over: 'The payment was disputed, and the dispute is over',
};

async function tellReturns(db: Database, purchaseId: string): Promise<Happening[]> {
  const refunds = await db
    .selectFrom('refund')
    .where('purchase_id', '=', purchaseId)
    .selectAll()
    .execute();
  const disputes = await db
    .selectFrom('dispute')
    .where('purchase_id', '=', purchaseId)
    .selectAll()
    .execute();
  return [
    ...refunds.map(({ created_at: at, amount_cents, state, requested_by, reason }) => {
      const by = requested_by ? `by the ${requested_by}` : 'at the payment provider';
      const why = reason ? ` “${isolate(reason)}”` : '';
      return {
        at,
        words: `A refund of ${dollars(amount_cents)} ${REFUNDS[state]}, ${by}.${why}`,
      };
    }),
    ...disputes.map(({ created_at: at, stage, amount_cents }) => ({
      at,
      words: `${DISPUTES[stage]}: ${dollars(amount_cents)}.`,
    })),
  ];
}

/** Emails and other work that is not done: nothing is kept of jobs that are. */
async function tellWaitingJobs(db: Database, purchaseId: string): Promise<Happening[]> {
  const jobs = await db
    .selectFrom('job')
    .where('payload', '=', JSON.stringify({ purchaseId }))
    .select(['kind', 'run_at', 'died_at', 'last_error'])
    .execute();
  return jobs.map(({ kind, run_at, died_at, last_error }) => {
    const why = last_error ? ` ${last_error}` : '';
    return died_at === null
      ? { at: run_at, words: `The job ${kind} waits.${why}` }
      : { at: died_at, words: `The job ${kind} was given up.${why}` };
  });
}
