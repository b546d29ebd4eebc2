/** Work that follows a committed change. The worker runs each at least once. */
export interface JobPayloads {
  'handle-webhook': { eventId: string };
  'send-receipt': { purchaseId: string };
  'send-payment-failed': { purchaseId: string };
  'review-payment': { paymentIntentId: string };
  'expire-checkout': { sessionId: string };
  'find-double-payment': { purchaseId: string };
}

export type JobKind = keyof JobPayloads;

export interface JobTable {
  id: string;
  kind: JobKind;
  /** JSON of the kind's payload. */
  payload: string;
  run_at: number;
  attempts: number;
  /** A worker owns the job until then; later another may take it. */
  locked_until: number;
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

export interface OutboxTables {
  job: JobTable;
  mailbox_message: MailboxMessageTable;
}
