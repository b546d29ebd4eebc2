import type { FastifyRequest } from 'fastify';
import { fact } from '../../../contract/fact.ts';
import type { Language } from '../../../contract/languages.ts';
import type { Scope } from '../../../contract/secret-key-scopes.ts';
import { DomainError } from './domain-error.ts';
import { DAY_MS, MINUTE_MS } from './time.ts';

export interface User {
  id: string;
  email: string;
  firstName: string;
  language: Language;
  /** When this session began, UTC milliseconds. */
  signedInAt: number;
  sessionId: string;
  /** Whether the ways of operators are shown; what they may do is looked up anew. */
  operates: boolean;
}

/** The requester, as far as it decides what they may read and do. */
export interface Viewer {
  /**
   * 'none': no key and no session. 'reader': the publishable key or a plain page view.
   * 'creator': a session or a creator's secret key. 'operator': the service key.
   */
  authority: 'none' | 'reader' | 'creator' | 'operator';
  /** Whose links and files these are to see: a session's, and those of a secret key to read or sell. */
  creatorId: string | null;
  /**
   * For whose account each of these may be done: all of them for a session's, and for that of a
   * secret key those of its scopes.
   */
  may: Record<Scope, string | null>;
  /**
   * Who is signed in: what the account itself, its purchases and its money are decided by. A secret
   * key signs nobody in.
   */
  user: User | null;
  /** SHA-256 of the browser's claim cookie, hex. */
  claimHash: string | null;
}

/** The part of a request that says who asks. */
export type Asking = Pick<FastifyRequest, 'headers' | 'cookies'>;

export type FindViewer = (request: Asking) => Promise<Viewer>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks: looked up when it is first wanted, and once. */
    viewer(): Promise<Viewer>;
  }
}

/** A visitor of whom nothing is known. */
export const GUEST: Viewer = {
  authority: 'reader',
  creatorId: null,
  may: { read: null, sell: null, refund: null },
  user: null,
  claimHash: null,
};

/**
 * The account for which the viewer may do this.
 * @param advice to those who have neither session nor secret key
 * @throws DomainError UNAUTHORIZED, or SCOPE_MISSING for a secret key that is not made for it
 */
export function requireScope(
  { authority, may }: Pick<Viewer, 'authority' | 'may'>,
  scope: Scope,
  advice: string,
): string {
  const accountId = may[scope];
  if (accountId !== null) return accountId;
  if (authority !== 'creator') throw new DomainError('UNAUTHORIZED', advice);
  throw new DomainError(
    'SCOPE_MISSING',
    `This secret key lacks the scope “${scope}”. Create a key with it on the account page.`,
  );
}

/**
 * Keeps someone who found or stole a session from what outlasts it.
 * @param now UTC milliseconds
 * @param freshMs how long ago the sign-in may be: a day unless given, as the account library has it
 *   for passkeys
 * @throws DomainError SESSION_NOT_FRESH
 */
export function requireFreshSignIn(
  { signedInAt }: Pick<User, 'signedInAt'>,
  now: number,
  freshMs = DAY_MS,
): void {
  if (now - signedInAt < freshMs) return;
  throw new DomainError(
    'SESSION_NOT_FRESH',
    freshMs < DAY_MS
      ? fact('You signed in more than {count} minutes ago. Sign in again to continue.', {
          count: freshMs / MINUTE_MS,
        })
      : fact('You signed in more than a day ago. Sign in again to continue.'),
  );
}
