import type { AccountPageData } from '../../../contract/account-details.ts';
import type { Database } from '../../database/tables.ts';
import type { User } from '../../lib/viewer.ts';
import { describeSecretKey, listSecretKeys } from '../secret-keys.ts';
import type { Auth } from './create-auth.ts';
import { listSessions } from './own-sessions.ts';
import { listPasskeys } from './passkeys.ts';

interface Context {
  auth: Auth;
  db: Database;
  findSeller(ownerId: string): Promise<string | null>;
}

/** What the account page shows to who is signed in. */
export async function readAccount(
  { auth, db, findSeller }: Context,
  { id, email, sessionId }: User,
): Promise<AccountPageData> {
  const library = await auth.$context;
  const [user, credential, sessions, passkeys, keys, sellerName] = await Promise.all([
    library.internalAdapter.findUserById(id),
    library.internalAdapter.findCredentialAccount(id),
    listSessions(library, id, sessionId),
    listPasskeys(library, id),
    listSecretKeys(db, id),
    findSeller(id),
  ]);
  return {
    email,
    hasPassword: Boolean(credential?.password),
    sessions,
    twoFactor: (user as { twoFactorEnabled?: unknown } | null)?.twoFactorEnabled === true,
    passkeys,
    sellerName,
    secretKeys: keys.map(describeSecretKey),
  };
}
