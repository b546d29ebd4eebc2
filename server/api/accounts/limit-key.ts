import type { AccountLimit } from './account-routes.ts';

/** Who sends a request about an account. */
export interface Asker {
  /** The e-mail address of the account, or the network address where nobody is named. */
  account: string;
  /** The network address, as it is counted. */
  address: string;
  newEmail?: string;
  /** The session that the request acts by. */
  sessionId: string | null;
  /** The browser, if the account knows it. */
  deviceId: string | null;
}

/**
 * What a limit counts by: an account, for one use of its codes, and one visitor or all strangers.
 * With where the visitor is: an account's total holds however many networks its strangers have.
 * @returns null where it does not count who asks: a session has its own tries alone.
 */
export function limitKey(limit: AccountLimit, asker: Asker): [of: string, from?: string] | null {
  const account = limit.of ? asker[limit.of] : asker.account;
  // An account may be a tool to guess the code to an address that is somebody else's.
  const isKnown = !limit.of && limit.use !== 'change';
  const { sessionId, deviceId } = isKnown ? asker : { sessionId: null, deviceId: null };
  if (limit.isOfVisitor) {
    const visitor = sessionId ?? deviceId ?? asker.address;
    return [JSON.stringify([account, limit.use, visitor]), asker.address];
  }
  if (sessionId) return null;
  // All known browsers together, for whoever gets in once could make many known.
  return [JSON.stringify([account, limit.use, deviceId !== null])];
}
