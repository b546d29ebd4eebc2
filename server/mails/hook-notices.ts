import type { HookEndedInput, Mail } from '../../contract/mails.ts';
import type { Database } from '../database/tables.ts';
import type { SendMail } from './smtp.ts';

interface Context {
  db: Database;
  sendMail: SendMail;
  writeHookEnded: (facts: Pick<HookEndedInput, 'language' | 'firstName' | 'url'>) => Mail;
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
    .select(['hook.url', 'user.email', 'user.firstName', 'user.language'])
    .executeTakeFirst();
  if (!row) return;
  const { email, ...facts } = row;
  await sendMail(email, writeHookEnded(facts));
}
