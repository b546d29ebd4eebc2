import { z } from 'zod';

const OF_PURCHASE = z.object({ purchaseId: z.string() });

const OF_PAYOUT = z.object({ payoutId: z.string() });

/** `once`: because something happened; what is asked after by the clock is so by another job. */
const ONCE = { once: z.boolean() };
const OF_REFUND = z.object({ refundId: z.string() });

const OF_TAKE_DOWN = z.object({ takeDownId: z.string() });

const OF_HOOK = z.object({ hookId: z.string() });

/** One sale, made at `from`, or all of the hour that began then: UTC milliseconds. */
const OF_TOLD_SALES = z.object({
  ownerId: z.string(),
  purchaseId: z.string().nullable(),
  from: z.number(),
});

const OF_FILE = z.object({ blob: z.string() });

/** Work that follows a committed change. The worker runs each at least once. */
export const JOB_PAYLOADS = {
  /** `invitedBy`: the operator's account, if one did. */
  'send-invitation': z.object({ invitationId: z.string(), invitedBy: z.string().optional() }),
  'send-standing': z.object({ userId: z.string() }),
  'handle-webhook': z.object({ eventId: z.string() }),
  /** The same for what happened to a payment afterward. */
  'handle-payment-event': z.object({ eventId: z.string() }),
  'send-receipt': OF_PURCHASE,
  /** Of the first line. */
  'send-cart-receipt': OF_PURCHASE,
  /** To its recipient. */
  'send-gift': OF_PURCHASE,
  'send-reminder': OF_PURCHASE,
  'send-access-code': z.object({ grantId: z.string() }),
  'send-purchases': z.object({ email: z.string() }),
  'send-payment-failed': OF_PURCHASE,
  'send-payment-disputed': OF_PURCHASE,
  'send-payment-returned': OF_PURCHASE,
  'send-double-payment': OF_PURCHASE,
  'review-payment': z.object({ paymentIntentId: z.string() }),
  'expire-checkout': z.object({ sessionId: z.string() }),
  'follow-checkout': OF_PURCHASE,
  'end-checkouts': z.object({ ownerId: z.string(), linkId: z.string().nullable() }),
  'follow-settlement': OF_PURCHASE,
  'refund-payment': OF_PURCHASE,
  'follow-payout': OF_PAYOUT.extend(ONCE),
  'follow-payout-account': z.object({ accountId: z.string(), ...ONCE }),
  'send-payout-notice': OF_PAYOUT.extend({
    notice: z.enum(['sent', 'paid', 'failed', 'reversed']),
  }),
  'send-payout-waits': OF_PAYOUT,
  'send-payouts-held': z.object({ ownerId: z.string(), heldUntil: z.number() }),
  'make-refund': OF_REFUND,
  'attach-evidence': z.object({ disputeId: z.string() }),
  'send-refund': OF_REFUND,
  'send-sale-refunded': OF_REFUND,
  'send-refund-failed': OF_REFUND,
  'send-sale-refund-failed': OF_REFUND,
  'check-file': OF_FILE,
  'check-old-files': z.object({}),
  'index-old-words': z.object({ after: z.string() }),
  'send-file-refused': OF_FILE,
  'announce-version': z.object({ linkId: z.string(), version: z.number(), after: z.string() }),
  'send-version-notice': z.object({ grantId: z.string(), version: z.number() }),
  'make-preview': z.object({ linkId: z.string() }),
  'follow-take-down': OF_TAKE_DOWN,
  'refund-taken-down': OF_PURCHASE,
  'send-take-down': OF_TAKE_DOWN.extend({ notice: z.enum(['taken-down', 'answered', 'undone']) }),
  'send-content-taken-down': OF_PURCHASE.extend({
    isRefunded: z.boolean(),
    /** Of a bundle, what was taken down of it. */
    partId: z.string().optional(),
  }),
  'send-reports-wait': z.object({}),
  'serve-hook': OF_HOOK,
  'send-hook-ended': OF_HOOK,
  'send-sale': OF_PURCHASE,
  'send-sales': z.object({ ownerId: z.string(), gatheringId: z.string(), isDay: z.boolean() }),
  'send-week': z.object({ ownerId: z.string(), week: z.number() }),
  'tell-browsers': OF_TOLD_SALES,
  'tell-browser': OF_TOLD_SALES.extend({ sessionId: z.string() }),
};

export type JobKind = keyof typeof JOB_PAYLOADS;
export type JobPayloads = { [Kind in JobKind]: z.infer<(typeof JOB_PAYLOADS)[Kind]> };

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

export const LANES: Record<JobKind, Lane> = {
  'handle-webhook': 'payments',
  'handle-payment-event': 'reviews',
  'review-payment': 'reviews',
  'expire-checkout': 'follow-ups',
  'follow-checkout': 'follow-ups',
  'end-checkouts': 'follow-ups',
  'follow-settlement': 'follow-ups',
  'refund-payment': 'follow-ups',
  'follow-payout': 'follow-ups',
  'follow-payout-account': 'follow-ups',
  'send-payout-notice': 'mail',
  'send-payout-waits': 'mail',
  'send-payouts-held': 'mail',
  'make-refund': 'follow-ups',
  'attach-evidence': 'follow-ups',
  'send-invitation': 'mail',
  'send-standing': 'mail',
  'send-receipt': 'mail',
  'send-cart-receipt': 'mail',
  'send-gift': 'mail',
  'send-reminder': 'mail',
  'send-access-code': 'mail',
  'send-purchases': 'mail',
  'send-payment-failed': 'mail',
  'send-payment-disputed': 'mail',
  'send-payment-returned': 'mail',
  'send-double-payment': 'mail',
  'send-refund': 'mail',
  'send-sale-refunded': 'mail',
  'send-refund-failed': 'mail',
  'send-sale-refund-failed': 'mail',
  'send-file-refused': 'mail',
  'check-file': 'files',
  'check-old-files': 'files',
  'index-old-words': 'files',
  'announce-version': 'news',
  'send-version-notice': 'news',
  'make-preview': 'previews',
  'follow-take-down': 'follow-ups',
  'refund-taken-down': 'follow-ups',
  'send-take-down': 'mail',
  'send-content-taken-down': 'news',
  'send-reports-wait': 'mail',
  'serve-hook': 'hooks',
  'send-hook-ended': 'mail',
  'send-sale': 'mail',
  'send-sales': 'news',
  'send-week': 'news',
  'tell-browsers': 'push',
  'tell-browser': 'push',
};

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
