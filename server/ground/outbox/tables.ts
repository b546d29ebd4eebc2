import { z } from 'zod';

const OF_PURCHASE = z.object({ purchaseId: z.string() });
const OF_PAYOUT = z.object({ payoutId: z.string() });
/** `once`: because something happened; what is asked after by the clock is so by another job. */
const ONCE = { once: z.boolean() };
/** Several purchases of one payment may share a refund that was made at the provider. */
const OF_REFUND = z.object({ refundId: z.string(), purchaseId: z.string().optional() });
const OF_REFUSED_REFUND = OF_REFUND.extend({
  why: z.enum(['nothing-left', 'too-large', 'disputed', 'other']),
});
/** The account of the operator who decided it, if one did. */
const BY_OPERATOR = { operatorId: z.string().optional() };
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

const inLane =
  <Name extends Lane>(lane: Name) =>
  <Payload extends z.ZodType>(payload: Payload) => ({ lane, payload });
const mail = inLane('mail');
const news = inLane('news');
const review = inLane('reviews');
const followUp = inLane('follow-ups');
const file = inLane('files');
const push = inLane('push');

/**
 * Every email that a job sends. The job `send-refund` sends the mail `refund`: the function of its
 * kind in `server/notices/mails/` gathers what there is to say, and the component of its name in
 * `web/notices/mails/` words it. In `news` are those of which very many are sent at once.
 */
const MAIL_JOBS = {
  /** `invitedBy`: the operator's account, if one did. */
  'send-invitation': mail(z.object({ invitationId: z.string(), invitedBy: z.string().optional() })),
  'send-standing': mail(z.object({ userId: z.string() })),
  'send-receipt': mail(OF_PURCHASE),
  /** The purchase is that of its first line. */
  'send-cart-receipt': mail(OF_PURCHASE),
  /** To its recipient. */
  'send-gift': mail(OF_PURCHASE),
  'send-reminder': mail(OF_PURCHASE),
  'send-access-code': mail(z.object({ grantId: z.string() })),
  'send-purchases': mail(z.object({ email: z.string() })),
  'send-payment-failed': mail(OF_PURCHASE),
  'send-payment-disputed': mail(OF_PURCHASE),
  'send-payment-returned': mail(OF_PURCHASE),
  'send-double-payment': mail(OF_PURCHASE),
  'send-refund': mail(OF_REFUND),
  'send-sale-refunded': mail(OF_REFUND),
  'send-refund-failed': mail(OF_REFUND),
  'send-sale-refund-failed': mail(OF_REFUND),
  'send-refund-refused': mail(OF_REFUSED_REFUND),
  /** To whoever decided it. */
  'send-sale-refund-refused': mail(OF_REFUSED_REFUND.extend(BY_OPERATOR)),
  'send-file-refused': mail(OF_FILE),
  'send-version-notice': news(z.object({ grantId: z.string(), version: z.number() })),
  'send-take-down': mail(
    OF_TAKE_DOWN.extend({ notice: z.enum(['taken-down', 'answered', 'undone']) }),
  ),
  /** `partId`: the part of a bundle that was taken down. */
  'send-content-taken-down': news(
    OF_PURCHASE.extend({ isRefunded: z.boolean(), partId: z.string().optional() }),
  ),
  'send-reports-wait': mail(z.object({})),
  'send-payout-notice': mail(
    OF_PAYOUT.extend({ notice: z.enum(['sent', 'paid', 'failed', 'reversed']) }),
  ),
  'send-payout-waits': mail(OF_PAYOUT),
  'send-payouts-held': mail(z.object({ ownerId: z.string(), heldUntil: z.number() })),
  'send-hook-ended': mail(OF_HOOK),
  'send-sale': mail(OF_PURCHASE),
  'send-sales': news(
    z.object({ ownerId: z.string(), gatheringId: z.string(), isDay: z.boolean() }),
  ),
  'send-week': news(z.object({ ownerId: z.string(), week: z.number() })),
} satisfies Record<`send-${string}`, object>;

/** Work that follows a committed change. The worker runs each at least once. */
export const JOBS = {
  ...MAIL_JOBS,
  'handle-webhook': inLane('payments')(OF_EVENT),
  /** The same for what happened to a payment afterward. */
  'handle-payment-event': review(OF_EVENT),
  'review-payment': review(z.object({ paymentIntentId: z.string() })),
  'expire-checkout': followUp(z.object({ sessionId: z.string() })),
  'follow-checkout': followUp(OF_PURCHASE),
  'end-checkouts': followUp(
    z.object({
      ownerId: z.string(),
      linkId: z.string().nullable(),
      /** When its license keys were turned off, which those before were promised. */
      keysEndedAt: z.number().optional(),
    }),
  ),
  'follow-settlement': followUp(OF_PURCHASE),
  'refund-payment': followUp(OF_PURCHASE),
  'follow-payout': followUp(OF_PAYOUT.extend(ONCE)),
  'follow-payout-account': followUp(z.object({ accountId: z.string(), ...ONCE })),
  /** `isPromised`: whether the buyer was told that the money comes back. */
  'make-refund': followUp(OF_REFUND.extend({ isPromised: z.boolean().optional(), ...BY_OPERATOR })),
  'attach-evidence': followUp(z.object({ disputeId: z.string() })),
  'check-file': file(OF_FILE),
  'check-old-files': file(z.object({})),
  'index-old-words': file(z.object({ after: z.string() })),
  'announce-version': news(
    z.object({ linkId: z.string(), version: z.number(), after: z.string() }),
  ),
  'make-preview': inLane('previews')(z.object({ linkId: z.string() })),
  'try-stamp': inLane('previews')(z.object({ linkId: z.string() })),
  'follow-take-down': followUp(OF_TAKE_DOWN),
  'refund-taken-down': followUp(OF_PURCHASE),
  'serve-hook': inLane('hooks')(OF_HOOK),
  'tell-browsers': push(OF_TOLD_SALES),
  'tell-browser': push(OF_TOLD_SALES.extend({ sessionId: z.string() })),
};

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
