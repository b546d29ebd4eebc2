import type { BetterAuthPlugin, GenericEndpointContext } from 'better-auth';
import { APIError, createAuthEndpoint, getSessionFromCtx, isAPIError } from 'better-auth/api';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { createBackupCodes } from '../backup-codes.ts';
import { onPath } from './hooks.ts';

/** Milliseconds: three steps of thirty seconds, as long as the library accepts a code. */
const CODE_LIFETIME = 90_000;

/**
 * A second factor after the password, for accounts that turned it on: a code from an authenticator
 * app.
 */
export const authenticatorCodes = twoFactor({
  backupCodeOptions: {
    storeBackupCodes: 'encrypted',
    customBackupCodesGenerate: createBackupCodes,
  },
  // The routes count wrong codes by account and say when to come back, which this lock does not.
  accountLockout: { enabled: false },
});

/** What the library's plugin leaves out: codes that work once, the QR code, who is signing in. */
export const authenticatorRules = {
  id: 'authenticator-rules',
  endpoints: {
    /**
     * The signed-in account, or the one whose password was given and whose second factor is
     * pending.
     */
    findAccount: createAuthEndpoint.serverOnly({ method: 'GET' }, async (ctx) => {
      const signedIn = await getSessionFromCtx(ctx);
      if (signedIn) return { email: signedIn.user.email, sessionId: signedIn.session.id };
      const userId = await findPendingUserId(ctx);
      const user = userId && (await ctx.context.internalAdapter.findUserById(userId));
      return user ? { email: user.email, sessionId: null } : null;
    }),
  },
  hooks: {
    before: [
      onPath('/two-factor/verify-totp', async (ctx) => {
        const session = await getSessionFromCtx(ctx);
        const userId = session?.user.id ?? (await findPendingUserId(ctx));
        if (!userId) return;
        // Someone who saw a code being typed must not be able to use it again (RFC 6238, 5.2).
        const isFirstUse = await ctx.context.internalAdapter.reserveVerificationValue({
          identifier: `authenticator-code-${userId}-${ctx.body.code}`,
          value: userId,
          expiresAt: new Date(Date.now() + CODE_LIFETIME),
        });
        if (isFirstUse) return;
        throw APIError.from('UNAUTHORIZED', { code: 'INVALID_CODE', message: 'Invalid code' });
      }),
    ],
    after: [
      onPath('/two-factor/enable', async (ctx) => {
        const set = ctx.context.returned;
        if (isAPIError(set)) return;
        const { totpURI, backupCodes } = set as { totpURI: string; backupCodes: string[] };
        const { default: QRCode } = await import('qrcode');
        const qrCode = await QRCode.toString(totpURI, { type: 'svg', margin: 2 });
        return ctx.json({ totpURI, qrCode, backupCodes });
      }),
    ],
  },
} satisfies BetterAuthPlugin;

async function findPendingUserId(ctx: GenericEndpointContext): Promise<string | null> {
  const { name } = ctx.context.createAuthCookie('two_factor');
  const identifier = await ctx.getSignedCookie(name, ctx.context.secret);
  if (!identifier) return null;
  const pending = await ctx.context.internalAdapter.findVerificationValue(identifier);
  return pending?.value ?? null;
}
