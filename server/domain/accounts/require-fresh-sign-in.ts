import { DomainError } from '../domain-error.ts';
import type { User } from './viewer.ts';

/** Milliseconds. As long as the account library lets passkeys be added. */
const FRESH = 24 * 60 * 60 * 1_000;

/**
 * Keeps who found a session, or stole one, from making a way in that outlasts it.
 * @param now UTC milliseconds
 * @throws DomainError SESSION_NOT_FRESH
 */
export function requireFreshSignIn({ signedInAt }: User, now: number): void {
  if (now - signedInAt < FRESH) return;
  throw new DomainError(
    'SESSION_NOT_FRESH',
    'You signed in more than a day ago. Sign in again first.',
  );
}
