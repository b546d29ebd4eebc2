import type { HookEndedInput, Mail } from '../../contract/mails.ts';
import type { Database } from '../database/tables.ts';
import type { SendMail } from './smtp.ts';

interface Context {
  db: Database;
  sendMail: SendMail;
  writeHookEnded: (facts: Pick<HookEndedInput, 'firstName' | 'url'>) => Mail;
}

/** Emails an account that one of its webhooks ended by itself, unless it is on again or gone. */
export async function sendHookEnded(
  { db, sendMail, writeHookEnded }: Context,
  hookId: string,
): Promise<void> {
  const row = await db
    .selectFrom('hook')
    .innerJoin('user', 'user.id', 'hook.owner_id')
    .where('hook.id', '=', hookId)
    .where('hook.state', '=', 'ended')
    .select(['hook.url', 'user.email', 'user.firstName'])
    .executeTakeFirst();
  if (!row) return;
  await sendMail(row.email, writeHookEnded({ firstName: row.firstName, url: row.url }));
}
