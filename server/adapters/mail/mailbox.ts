import { randomUUIDv7 } from 'node:crypto';
import type { SendMail } from '../../domain/notifications/mail.ts';
import type { Database } from '../../domain/tables.ts';

const CODE = /\b\d{6}\b/;

/** Keeps mail for the local mailbox page instead of sending it, and tells the terminal of it. */
export function openMailbox(
  db: Database,
  log: { info(fields: object, message: string): void },
): SendMail {
  let last = 0;
  return async (to, { subject, text, html }) => {
    // No two at one time: the newest comes first also of those of one millisecond.
    last = Math.max(Date.now(), last + 1);
    const sent = { id: randomUUIDv7(), to, subject, text, html, sent_at: last };
    await db.insertInto('mailbox_message').values(sent).execute();
    const code = CODE.exec(text)?.[0];
    const unsaid = code && !subject.includes(code) ? ` (code ${code})` : '';
    log.info({}, `mail to ${to}: ${subject}${unsaid}`);
  };
}
