import { sql } from 'kysely';
import { nameDevice } from '../../../contract/devices.ts';
import { type Fact, fact, texts } from '../../../contract/fact.ts';
import { sizeOf } from '../../../contract/format.ts';
import { DEFAULT_PAGE_SIZE } from '../../../contract/limits.ts';
import { giverOf, mailboxOf } from '../../ground/database/mailbox-of.ts';
import type { Database } from '../../ground/database/tables.ts';
import { canonicalAddress } from '../../ground/lib/canonical-address.ts';
import { findPaid, selectPurchases } from '../../selling/purchases/queries.ts';
import type { Purchase } from '../../selling/purchases/tables.ts';

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

/** Something that happened to a purchase; UTC milliseconds. */
export interface Happening {
  at: number;
  fact: Fact;
}

const ENDS: Partial<Record<Purchase['state'], Fact>> = {
  failed: fact('The payment failed.'),
  expired: fact('The checkout expired without a payment.'),
};

const GRANTS: Partial<Record<string, Fact>> = {
  suspended: fact('Access is suspended, because the payment is disputed.'),
  ended: fact('Access has ended, because the payment was returned.'),
};

/** All that is known to have happened to a purchase, oldest first. */
export async function tellStory(db: Database, purchase: Purchase): Promise<Happening[]> {
  const end = ENDS[purchase.state];
  const price = { cents: purchase.price_cents };
  const story: (Happening | false)[] = [
    {
      at: purchase.created_at,
      fact: purchase.buyer_browser
        ? fact('The checkout started, for {price} ({device}).', {
            price,
            device: nameDevice(purchase.buyer_browser),
          })
        : fact('The checkout started, for {price}.', { price }),
    },
    end !== undefined && { at: purchase.expires_at, fact: end },
    purchase.settled_at !== null && {
      at: purchase.settled_at,
      fact: fact('{price} was paid; the fee is {fee}.', {
        price: { cents: purchase.price_cents + purchase.tax_cents },
        fee: { cents: purchase.fee_cents },
      }),
    },
    purchase.settled_at !== null &&
      purchase.gift_email !== null && {
        at: purchase.settled_at,
        fact: fact('It is a gift to {email}.', { email: purchase.gift_email }),
      },
    purchase.undelivered_at !== null && {
      at: purchase.undelivered_at,
      fact: fact(
        purchase.gift_email === null
          ? 'Nothing had been downloaded, so the buyer was reminded by email.'
          : 'Nothing of the gift had been downloaded.',
      ),
    },
    purchase.receipt_refused_at !== null && {
      at: purchase.receipt_refused_at,
      fact: fact(
        purchase.gift_email === null
          ? 'The buyer’s mail server refused an email.'
          : 'The recipient’s mail server refused an email.',
      ),
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
    ...(standing === undefined ? [] : [{ at: grant.updated_at, fact: standing }]),
    ...claims.map(({ claimed_at: at }) => ({ at, fact: fact('The personal link was opened.') })),
    ...deliveries.map(({ ended_at: at, file_key, name, bytes_sent, outcome }) => {
      const file = name ?? file_key;
      const sent = sizeOf(bytes_sent);
      return {
        at,
        fact: {
          delivered: fact('{file} was downloaded: {sent} were sent.', { file, sent }),
          broken: fact('A download of {file} was interrupted: {sent} were sent.', { file, sent }),
          handed_over: fact('{file} was handed over to be sent.', { file }),
        }[outcome],
      };
    }),
  ];
}

const REFUNDS = texts({
  requested: {
    buyer: 'The buyer requested a refund of {price}.',
    creator: 'The seller requested a refund of {price}.',
    operator: 'The operator requested a refund of {price}.',
    provider: 'A refund of {price} was requested at the payment provider.',
  },
  pending: {
    buyer: 'A refund of {price} requested by the buyer is under way.',
    creator: 'A refund of {price} requested by the seller is under way.',
    operator: 'A refund of {price} requested by the operator is under way.',
    provider: 'A refund of {price} at the payment provider is under way.',
  },
  succeeded: {
    buyer: 'The buyer gave it back and was refunded {price}.',
    creator: 'The seller refunded {price}.',
    operator: 'The operator refunded {price}.',
    provider: '{price} was refunded at the payment provider.',
  },
  failed: {
    buyer: 'A refund of {price} requested by the buyer failed.',
    creator: 'A refund of {price} requested by the seller failed.',
    operator: 'A refund of {price} requested by the operator failed.',
    provider: 'A refund of {price} at the payment provider failed.',
  },
});

const DISPUTES = texts({
  inquiry: 'The buyer’s bank asked about it: {price}.',
  open: 'The payment was disputed: {price}.',
  lost: 'The payment was disputed, and the dispute was lost: {price}.',
  over: 'The payment was disputed, and the dispute is over: {price}.',
});

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
      const price = { cents: amount_cents };
      const refund = fact(REFUNDS[state][requested_by ?? 'provider'], { price });
      return {
        at,
        fact: reason ? fact('{refund} “{reason}”', { refund, reason: { text: reason } }) : refund,
      };
    }),
    ...disputes.map(({ created_at: at, stage, amount_cents }) => ({
      at,
      fact: fact(DISPUTES[stage], { price: { cents: amount_cents } }),
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
    const job =
      died_at === null
        ? fact('The job {kind} is waiting.', { kind })
        : fact('The job {kind} was given up.', { kind });
    const said = last_error ? fact('{job} {error}', { job, error: last_error }) : job;
    return { at: died_at ?? run_at, fact: said };
  });
}
