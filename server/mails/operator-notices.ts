import type { InvitationInput, Mail, StandingInput } from '../../contract/mails.ts';
import type { Database } from '../database/tables.ts';
import type { Signer } from '../lib/signer.ts';
import type { SendMail } from './smtp.ts';

interface InvitationContext {
  db: Database;
  sendMail: SendMail;
  signer: Signer<{ invitationId: string }>;
  writeInvitation: (facts: Pick<InvitationInput, 'role' | 'expiresAt'> & { token: string }) => Mail;
}

/** Emails an invitation, unless it was accepted or revoked by now. */
export async function sendInvitation(
  { db, sendMail, signer, writeInvitation }: InvitationContext,
  invitationId: string,
): Promise<void> {
  const row = await db
    .selectFrom('invitation')
    .where('id', '=', invitationId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .select(['email', 'role', 'expires_at'])
    .executeTakeFirst();
  if (!row) return;
  const { email, role, expires_at: expiresAt } = row;
  const token = signer.sign({ invitationId });
  await sendMail(email, writeInvitation({ role, expiresAt, token }));
}

interface StandingContext {
  db: Database;
  sendMail: SendMail;
  writeStanding: (facts: Pick<StandingInput, 'firstName' | 'suspendedBecause'>) => Mail;
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
    .select(['user.email', 'user.firstName', 'suspension.reason'])
    .executeTakeFirst();
  if (!row) return;
  const { email, firstName, reason: suspendedBecause } = row;
  await sendMail(email, writeStanding({ firstName, suspendedBecause }));
}
