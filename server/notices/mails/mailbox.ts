import { randomUUIDv7 } from 'node:crypto';
import type { Insertable } from 'kysely';
import { prepare } from '../../ground/database/prepare.ts';
import type { Database, DatabaseContext, Tables } from '../../ground/database/tables.ts';
import { DAY_MS } from '../../ground/lib/time.ts';
import type { SendMail } from './smtp.ts';

const CODE = /\b\d{6}\b/;

interface Context extends DatabaseContext {
  log: { info(fields: object, message: string): void };
}

/**
 * Keeps emails for the local mailbox page instead of sending them, and announces them in the
 * terminal.
 */
export function openMailbox({ db, log, now }: Context): SendMail {
  let last = 0;
  return async (to, { subject, text, html }) => {
    // No two share a time, so that the newest comes first even within one millisecond.
    last = Math.max(now(), last + 1);
    const sent = { id: randomUUIDv7(), to, subject, text, html, sent_at: last };
    await insertMessage(db, sent);
    const code = CODE.exec(text)?.[0];
    const unsaid = code && !subject.includes(code) ? ` (code ${code})` : '';
    log.info({}, `email to ${to}: ${subject}${unsaid}`);
  };
}

const insertMessage = prepare(
  (db, { id, to, subject, text, html, sent_at }: Insertable<Tables['mailbox_message']>) =>
    db.insertInto('mailbox_message').values({ id, to, subject, text, html, sent_at }),
);

/** How long the local mailbox keeps emails, and how many: the page lists the newest 200. */
export const MAILBOX_DAYS = 30;
export const MAILBOX_MAILS = 2_000;

/** Removes old emails from the local mailbox. What was sent over SMTP was never kept. */
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
