import { z } from 'zod';

const OF_PURCHASE = z.object({ purchaseId: z.string() });

const OF_PAYOUT = z.object({ payoutId: z.string() });

/** `once`: because something happened; what is asked after by the clock is so by another job. */
const ONCE = { once: z.boolean() };
/** Several purchases of one payment may share a refund that was made at the provider. */
const OF_REFUND = z.object({ refundId: z.string(), purchaseId: z.string().optional() });

const OF_TAKE_DOWN = z.object({ takeDownId: z.string() });

const OF_HOOK = z.object({ hookId: z.string() });

/** One sale, made at `from`, or all of the hour that began then: UTC milliseconds. */
const OF_TOLD_SALES = z.object({
  ownerId: z.string(),
  purchaseId: z.string().nullable(),
  from: z.number(),
});

const OF_FILE = z.object({ blob: z.string() });

const OF_EVENT = z.object({ eventId: z.string() });

/** Jobs wait only for others in their lane: what hangs in one lane does not hold up another. */
export type Lane =
  | 'payments'
  | 'follow-ups'
  | 'reviews'
  | 'mail'
  | 'news'
  | 'files'
  | 'previews'
  | 'hooks'
  | 'push';

/** What a kind of job carries, and where it waits. */
interface JobType {
  lane: Lane;
  payload: z.ZodType;
}

/**
 * Every email that a job sends. The job `send-refund` sends the mail `refund`: the function of its
 * kind in `server/notices/mails/` gathers what there is to say, and the component of its name in
 * `web/notices/mails/` words it. In `news` are those of which very many are sent at once.
 */
const MAIL_JOBS = {
  /** `invitedBy`: the operator's account, if one did. */
  'send-invitation': {
    lane: 'mail',
    payload: z.object({ invitationId: z.string(), invitedBy: z.string().optional() }),
  },
  'send-standing': { lane: 'mail', payload: z.object({ userId: z.string() }) },
  'send-receipt': { lane: 'mail', payload: OF_PURCHASE },
  /** The purchase is that of its first line. */
  'send-cart-receipt': { lane: 'mail', payload: OF_PURCHASE },
  /** To its recipient. */
  'send-gift': { lane: 'mail', payload: OF_PURCHASE },
  'send-reminder': { lane: 'mail', payload: OF_PURCHASE },
  'send-access-code': { lane: 'mail', payload: z.object({ grantId: z.string() }) },
  'send-purchases': { lane: 'mail', payload: z.object({ email: z.string() }) },
  'send-payment-failed': { lane: 'mail', payload: OF_PURCHASE },
  'send-payment-disputed': { lane: 'mail', payload: OF_PURCHASE },
  'send-payment-returned': { lane: 'mail', payload: OF_PURCHASE },
  'send-double-payment': { lane: 'mail', payload: OF_PURCHASE },
  'send-refund': { lane: 'mail', payload: OF_REFUND },
  'send-sale-refunded': { lane: 'mail', payload: OF_REFUND },
  'send-refund-failed': { lane: 'mail', payload: OF_REFUND },
  'send-sale-refund-failed': { lane: 'mail', payload: OF_REFUND },
  'send-file-refused': { lane: 'mail', payload: OF_FILE },
  'send-version-notice': {
    lane: 'news',
    payload: z.object({ grantId: z.string(), version: z.number() }),
  },
  'send-take-down': {
    lane: 'mail',
    payload: OF_TAKE_DOWN.extend({ notice: z.enum(['taken-down', 'answered', 'undone']) }),
  },
  /** `partId`: the part of a bundle that was taken down. */
  'send-content-taken-down': {
    lane: 'news',
    payload: OF_PURCHASE.extend({ isRefunded: z.boolean(), partId: z.string().optional() }),
  },
  'send-reports-wait': { lane: 'mail', payload: z.object({}) },
  'send-payout-notice': {
    lane: 'mail',
    payload: OF_PAYOUT.extend({ notice: z.enum(['sent', 'paid', 'failed', 'reversed']) }),
  },
  'send-payout-waits': { lane: 'mail', payload: OF_PAYOUT },
  'send-payouts-held': {
    lane: 'mail',
    payload: z.object({ ownerId: z.string(), heldUntil: z.number() }),
  },
  'send-hook-ended': { lane: 'mail', payload: OF_HOOK },
  'send-sale': { lane: 'mail', payload: OF_PURCHASE },
  'send-sales': {
    lane: 'news',
    payload: z.object({ ownerId: z.string(), gatheringId: z.string(), isDay: z.boolean() }),
  },
  'send-week': { lane: 'news', payload: z.object({ ownerId: z.string(), week: z.number() }) },
} satisfies Record<`send-${string}`, JobType>;

/** Work that follows a committed change. The worker runs each at least once. */
export const JOBS = {
  ...MAIL_JOBS,
  'handle-webhook': { lane: 'payments', payload: OF_EVENT },
  /** The same for what happened to a payment afterward. */
  'handle-payment-event': { lane: 'reviews', payload: OF_EVENT },
  'review-payment': { lane: 'reviews', payload: z.object({ paymentIntentId: z.string() }) },
  'expire-checkout': { lane: 'follow-ups', payload: z.object({ sessionId: z.string() }) },
  'follow-checkout': { lane: 'follow-ups', payload: OF_PURCHASE },
  'end-checkouts': {
    lane: 'follow-ups',
    payload: z.object({ ownerId: z.string(), linkId: z.string().nullable() }),
  },
  'follow-settlement': { lane: 'follow-ups', payload: OF_PURCHASE },
  'refund-payment': { lane: 'follow-ups', payload: OF_PURCHASE },
  'follow-payout': { lane: 'follow-ups', payload: OF_PAYOUT.extend(ONCE) },
  'follow-payout-account': {
    lane: 'follow-ups',
    payload: z.object({ accountId: z.string(), ...ONCE }),
  },
  'make-refund': { lane: 'follow-ups', payload: OF_REFUND },
  'attach-evidence': { lane: 'follow-ups', payload: z.object({ disputeId: z.string() }) },
  'check-file': { lane: 'files', payload: OF_FILE },
  'check-old-files': { lane: 'files', payload: z.object({}) },
  'index-old-words': { lane: 'files', payload: z.object({ after: z.string() }) },
  'announce-version': {
    lane: 'news',
    payload: z.object({ linkId: z.string(), version: z.number(), after: z.string() }),
  },
  'make-preview': { lane: 'previews', payload: z.object({ linkId: z.string() }) },
  'follow-take-down': { lane: 'follow-ups', payload: OF_TAKE_DOWN },
  'refund-taken-down': { lane: 'follow-ups', payload: OF_PURCHASE },
  'serve-hook': { lane: 'hooks', payload: OF_HOOK },
  'tell-browsers': { lane: 'push', payload: OF_TOLD_SALES },
  'tell-browser': { lane: 'push', payload: OF_TOLD_SALES.extend({ sessionId: z.string() }) },
} satisfies Record<string, JobType>;

export type MailKind = keyof typeof MAIL_JOBS;
export type JobKind = keyof typeof JOBS;
export type JobPayloads = { [Kind in JobKind]: z.infer<(typeof JOBS)[Kind]['payload']> };

/** Runs that may end with an error, in three days; then a job is given up. */
export const MAX_ATTEMPTS = 83;

export interface JobTable {
  id: string;
  kind: JobKind;
  /** JSON of the kind's payload. */
  payload: string;
  lane: Lane;
  run_at: number;
  /** Runs that ended with an error. */
  attempts: number;
  /**
   * Runs started since then that never ended, because their process died, including a current one.
   */
  unended: number;
  /** A worker owns the job until then; after that, another may take it. */
  locked_until: number;
  /** Of the run that owns the job: one that outlived its lease must not touch another's. */
  lease_id: string | null;
  /** Set when it was given up: a dead letter for the operator. */
  died_at: number | null;
  last_error: string | null;
  created_at: number;
}

/** Mail of the local mode, kept instead of sent. */
interface MailboxMessageTable {
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  sent_at: number;
}

declare module '../database/tables.ts' {
  interface Tables {
    job: JobTable;
    /** One row, written to see whether the database can be written to. */
    probe: { id: number; written_at: number };
    mailbox_message: MailboxMessageTable;
  }
}
