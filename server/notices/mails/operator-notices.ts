import type { Language } from '../../../contract/languages.ts';
import type { Database } from '../../ground/database/tables.ts';
import type { Gathers } from './gather.ts';

export const operatorMails = {
  /**
   * Invites someone, unless the invitation was accepted or revoked by now: in the language of the
   * account with its address, or else in the operator's.
   */
  async 'send-invitation'({ db, links }, { invitationId, invitedBy }) {
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
    if (!row) return [];
    const { email: to, role, expires_at: expiresAt } = row;
    const language = row.ofInvited ?? row.ofOperator ?? 'en';
    const invitationUrl = links.invitation(invitationId);
    return [{ to, mail: 'invitation', facts: { language, role, expiresAt, invitationUrl } }];
  },

  /** Tells the owner of an account whether it is suspended now and why, unless it was deleted. */
  async 'send-standing'({ db }, { userId }) {
    const row = await db
      .selectFrom('user')
      .leftJoin('suspension', 'suspension.user_id', 'user.id')
      .where('user.id', '=', userId)
      .select(['user.email', 'user.firstName', 'user.language', 'suspension.reason'])
      .executeTakeFirst();
    if (!row) return [];
    const { email: to, reason: suspendedBecause, ...owner } = row;
    return [{ to, mail: 'standing', facts: { ...owner, suspendedBecause } }];
  },
} satisfies Partial<Gathers>;

/** Each of these addresses of operators, with the language of its account if it has one. */
export async function findLanguages(
  db: Database,
  addresses: string[],
): Promise<{ to: string; language: Language }[]> {
  if (addresses.length === 0) return [];
  const accounts = await db
    .selectFrom('user')
    .where('email', 'in', addresses)
    .select(['email', 'language'])
    .execute();
  return addresses.map((to) => {
    const account = accounts.find(({ email }) => email === to);
    return { to, language: account?.language ?? 'en' };
  });
}
