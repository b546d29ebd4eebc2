import type { Language } from '../../contract/languages.ts';
import type { InvitationInput, Mail, StandingInput } from '../../contract/mails.ts';
import type { Database } from '../database/tables.ts';
import type { Signer } from '../lib/signer.ts';
import type { JobPayloads } from '../outbox/tables.ts';
import type { SendMail } from './smtp.ts';

interface InvitationContext {
  db: Database;
  sendMail: SendMail;
  signer: Signer<{ invitationId: string }>;
  writeInvitation: (
    facts: Pick<InvitationInput, 'language' | 'role' | 'expiresAt'> & { token: string },
  ) => Mail;
}

/**
 * Emails an invitation, unless it was accepted or revoked by now: in the language of the account with
 * its address, or else of the operator's.
 */
export async function sendInvitation(
  { db, sendMail, signer, writeInvitation }: InvitationContext,
  { invitationId, invitedBy }: JobPayloads['send-invitation'],
): Promise<void> {
  const row = await db
    .selectFrom('invitation')
    .leftJoin('user as invited', 'invited.email', 'invitation.email')
    .leftJoin('user as operator', (join) => join.on('operator.id', '=', invitedBy ?? ''))
    .where('invitation.id', '=', invitationId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .select(['invitation.email', 'role', 'expires_at'])
    .select(['invited.language as ofInvited', 'operator.language as ofOperator'])
    .executeTakeFirst();
  if (!row) return;
  const { email, role, expires_at: expiresAt } = row;
  const language = row.ofInvited ?? row.ofOperator ?? 'en';
  const token = signer.sign({ invitationId });
  await sendMail(email, writeInvitation({ language, role, expiresAt, token }));
}

/** Emails each of these addresses of operators, in the language of its account if it has one. */
export async function mailOperators(
  { db, sendMail }: { db: Database; sendMail: SendMail },
  addresses: string[],
  write: (language: Language) => Mail,
): Promise<void> {
  if (addresses.length === 0) return;
  const accounts = await db
    .selectFrom('user')
    .where('email', 'in', addresses)
    .select(['email', 'language'])
    .execute();
  for (const address of addresses) {
    const account = accounts.find(({ email }) => email === address);
    await sendMail(address, write(account?.language ?? 'en'));
  }
}

interface StandingContext {
  db: Database;
  sendMail: SendMail;
  writeStanding: (
    facts: Pick<StandingInput, 'language' | 'firstName' | 'suspendedBecause'>,
  ) => Mail;
}

/** Emails an account whether it is suspended now and why, unless it was deleted. */
export async function sendStanding(
  { db, sendMail, writeStanding }: StandingContext,
  userId: string,
): Promise<void> {
  const row = await db
    .selectFrom('user')
    .leftJoin('suspension', 'suspension.user_id', 'user.id')
    .where('user.id', '=', userId)
    .select(['user.email', 'user.firstName', 'user.language', 'suspension.reason'])
    .executeTakeFirst();
  if (!row) return;
  const { email, reason: suspendedBecause, ...account } = row;
  await sendMail(email, writeStanding({ ...account, suspendedBecause }));
}
