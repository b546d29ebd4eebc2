import type { OAuthAccountKeyContext, OAuthProvider } from '@better-auth/core/oauth2';
import type { AuthContext } from 'better-auth';
import type { AccountMails } from './account-mails.ts';
import { deliver } from './deliver.ts';
import type { AuthLog } from './log.ts';

export interface FollowOptions {
  /** False where nobody can use a password. */
  passwords: boolean;
  mails: AccountMails;
  log: AuthLog;
}

/**
 * Takes over the address that a provider has verified for an account that signs in by it and by no
 * password: such a person changes the address there. The old address is told.
 * @param profile what the provider stated, as its `accountSubject` reads it.
 */
export async function followAddress(
  { internalAdapter }: AuthContext,
  { id: providerId, accountSubject }: OAuthProvider,
  profile: OAuthAccountKeyContext,
  newEmail: string,
  { passwords, mails, log }: FollowOptions,
): Promise<void> {
  const accountId = String(await accountSubject(profile));
  const owner = await internalAdapter.findAccountOwnerByKey({ providerId, accountId });
  if (owner?.kind !== 'owned' || owner.user.email === newEmail) return;
  const { id, email } = owner.user;
  if (passwords && (await internalAdapter.findCredentialAccount(id))?.password) return;
  if (await internalAdapter.findUserByEmail(newEmail)) return;
  await internalAdapter.updateUser(id, { email: newEmail });
  const { firstName } = owner.user as typeof owner.user & { firstName: string };
  void deliver(() => mails.sendNotice(email, { kind: 'email-changed', newEmail }, firstName), log);
}
