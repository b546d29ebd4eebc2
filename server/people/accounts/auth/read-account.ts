import type { AccountPageData } from '../../../../contract/account-details.ts';
import { addressOfCover } from '../../../catalog/links/cover.ts';
import { describeOwnPage } from '../../../catalog/sellers/queries.ts';
import { operatorOf } from '../../../ground/acts/operator-of.ts';
import type { Database } from '../../../ground/database/tables.ts';
import { readableAddress } from '../../../ground/lib/canonical-address.ts';
import { isoTime } from '../../../ground/lib/time.ts';
import type { User } from '../../../ground/lib/viewer.ts';
import { listNotifiedBrowsers } from '../../../notices/notifications/browsers.ts';
import { readNotificationChoice } from '../../../notices/notifications/choice.ts';
import { describeSecretKey, listSecretKeys } from '../secret-keys.ts';
import type { Auth } from './create-auth.ts';
import { listSessions } from './own-sessions.ts';
import { listPasskeys } from './passkeys.ts';

interface Context {
  auth: Auth;
  db: Database;
  operatorEmails: readonly string[];
  /** What browsers subscribe with. */
  pushKey: string;
}

/** What the account page shows to who is signed in. */
export async function readAccount(
  { auth, db, operatorEmails, pushKey }: Context,
  user: User,
): Promise<AccountPageData> {
  const { id, email, sessionId } = user;
  const library = await auth.$context;
  const [stored, credential, sessions, passkeys, keys, operator, notifications, browsers] =
    await Promise.all([
      db
        .selectFrom('user')
        .leftJoin('seller', 'seller.owner_id', 'user.id')
        .leftJoin('seller_handle', (join) =>
          join
            .onRef('seller_handle.owner_id', '=', 'user.id')
            .on('seller_handle.left_at', 'is', null),
        )
        .leftJoin('seller_page', 'seller_page.owner_id', 'user.id')
        .where('user.id', '=', id)
        .select(['user.twoFactorEnabled', 'seller.name as sellerName', 'seller_handle.handle'])
        .select(['about', 'links', 'picture', 'picture_width', 'picture_height'])
        .executeTakeFirstOrThrow(),
      library.internalAdapter.findCredentialAccount(id),
      listSessions(library, id, sessionId),
      listPasskeys(library, id),
      listSecretKeys(db, id),
      operatorOf({ db, operatorEmails }, { authority: 'creator', user }),
      readNotificationChoice(db, id),
      listNotifiedBrowsers(db, id),
    ]);
  const page = describeOwnPage(stored);
  return {
    email: readableAddress(email),
    hasPassword: Boolean(credential?.password),
    sessions,
    twoFactor: Boolean(stored.twoFactorEnabled),
    passkeys,
    sellerName: stored.sellerName,
    sellerPage: {
      ...page,
      picture: page.picture && { ...page.picture, url: addressOfCover(page.picture.blob) },
    },
    notifications,
    notifiedBrowsers: browsers.flatMap(({ session_id, created_at: since }) => {
      const session = sessions.find((one) => one.id === session_id);
      if (!session) return [];
      const { id: browserId, device, current } = session;
      return [{ id: browserId, device, current, since: isoTime(since) }];
    }),
    pushKey,
    isOperator: operator !== null,
    secretKeys: keys.map(describeSecretKey),
  };
}
