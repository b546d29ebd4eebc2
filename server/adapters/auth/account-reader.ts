import { withBearerSession } from './bearer-sessions.ts';
import type { Auth } from './create-auth.ts';
import { unmaskOutage } from './unmask-outage.ts';

/**
 * Finds the account that a request is about: of who is signed in, with the session, or else of who
 * has given the password in this browser and owes the second factor, without one. The library itself
 * reads the headers, as it does when it serves the request: whom it acts on is whom this names.
 */
export function accountReader(auth: Auth) {
  return async (incoming: { authorization?: string; cookie?: string }) => {
    const given = new Headers();
    for (const name of ['authorization', 'cookie'] as const) {
      const value = incoming[name];
      if (value !== undefined) given.set(name, value);
    }
    const headers = await withBearerSession(given, await auth.$context);
    return unmaskOutage(
      () => auth.api.findAccount({ headers }),
      (found) => !found,
    );
  };
}
