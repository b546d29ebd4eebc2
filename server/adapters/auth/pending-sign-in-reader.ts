import type { Auth } from './create-auth.ts';

/**
 * Finds the e-mail address of the account that has given its password in this browser and owes
 * its second factor. Headers without such a sign-in cost nothing.
 */
export function pendingSignInReader(auth: Auth) {
  return async ({ cookie }: { cookie?: string }): Promise<string | null> => {
    if (!cookie?.includes('padlink.two_factor=')) return null;
    const user = await auth.api.findPendingSignIn({ headers: new Headers({ cookie }) });
    return user?.email ?? null;
  };
}
