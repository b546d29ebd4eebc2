import type { Database } from '../tables.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** How long the local mailbox keeps a mail, and how many: the page lists the newest 200. */
export const MAILBOX_DAYS = 30;
export const MAILBOX_MAILS = 2_000;

/** Removes old mails of the local mailbox. What went out by SMTP was never kept. */
export async function sweepMailbox(db: Database, now: number): Promise<void> {
  const newest = db
    .selectFrom('mailbox_message')
    .select('id')
    .orderBy('sent_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAILBOX_MAILS);
  await db
    .deleteFrom('mailbox_message')
    .where(({ or, eb }) =>
      or([eb('sent_at', '<', now - MAILBOX_DAYS * DAY_MS), eb('id', 'not in', newest)]),
    )
    .execute();
}
