import type { GenericEndpointContext } from 'better-auth';
import { APIError } from 'better-auth/api';

/** Milliseconds. */
const FRESH = 10 * 60 * 1_000;

interface Session {
  user: { id: string };
  session: { createdAt: Date };
}

/**
 * Makes sure that a critical change is made by the account's owner, not by someone who found the
 * browser open: with the password or, if the account has none, with a very recent sign-in.
 * @throws APIError INVALID_PASSWORD, SESSION_NOT_FRESH
 */
export async function proveIdentity(
  { context }: GenericEndpointContext,
  { user, session }: Session,
  password: unknown,
): Promise<void> {
  const hash = (await context.internalAdapter.findCredentialAccount(user.id))?.password;
  if (!hash) {
    if (Date.now() - new Date(session.createdAt).getTime() < FRESH) return;
    throw APIError.from('FORBIDDEN', { code: 'SESSION_NOT_FRESH', message: 'Not fresh' });
  }
  if (typeof password === 'string' && (await context.password.verify({ hash, password }))) return;
  throw APIError.from('BAD_REQUEST', { code: 'INVALID_PASSWORD', message: 'Invalid password' });
}
