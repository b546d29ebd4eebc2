import type { AccountPageData } from '../../../contract/account-details.ts';
import type { Database } from '../../database/tables.ts';
import type { User } from '../../lib/viewer.ts';
import { addressOfCover } from '../../links/cover.ts';
import { operatorOf } from '../../operators/operator-of.ts';
import { readOwnPage } from '../../sellers/queries.ts';
import { describeSecretKey, listSecretKeys } from '../secret-keys.ts';
import type { Auth } from './create-auth.ts';
import { listSessions } from './own-sessions.ts';
import { listPasskeys } from './passkeys.ts';

interface Context {
  auth: Auth;
  db: Database;
  operatorEmails: readonly string[];
}

/** What the account page shows to who is signed in. */
export async function readAccount(
  { auth, db, operatorEmails }: Context,
  user: User,
): Promise<AccountPageData> {
  const { id, email, sessionId } = user;
  const library = await auth.$context;
  const [stored, credential, sessions, passkeys, keys, operator, page] = await Promise.all([
    db
      .selectFrom('user')
      .leftJoin('seller', 'seller.owner_id', 'user.id')
      .where('user.id', '=', id)
      .select(['user.twoFactorEnabled', 'seller.name as sellerName'])
      .executeTakeFirstOrThrow(),
    library.internalAdapter.findCredentialAccount(id),
    listSessions(library, id, sessionId),
    listPasskeys(library, id),
    listSecretKeys(db, id),
    operatorOf({ db, operatorEmails }, { authority: 'creator', user }),
    readOwnPage(db, id),
  ]);
  return {
    email,
    hasPassword: Boolean(credential?.password),
    sessions,
    twoFactor: Boolean(stored.twoFactorEnabled),
    passkeys,
    sellerName: stored.sellerName,
    sellerPage: {
      ...page,
      picture: page.picture && { ...page.picture, url: addressOfCover(page.picture.blob) },
    },
    isOperator: operator !== null,
    secretKeys: keys.map(describeSecretKey),
  };
}
