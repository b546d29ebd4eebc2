import type { User } from '../../domain/accounts/viewer.ts';
import { DomainError } from '../../domain/domain-error.ts';
import type { LinkAuthor } from '../../domain/links/find-own-link.ts';
import type { GraphqlContext } from './builder.ts';

/** The publishable key and more may read; without any key or session nothing is. */
export function requireReader({ viewer }: Pick<GraphqlContext, 'viewer'>): void {
  if (viewer.authority === 'none') throw unauthorized('Send a valid key or sign in.');
}

/** @throws DomainError UNAUTHORIZED unless the viewer may write links, RATE_LIMITED in a flood */
export async function requireAuthor({
  viewer,
  allowWrite,
}: Pick<GraphqlContext, 'viewer' | 'allowWrite'>): Promise<LinkAuthor> {
  if (viewer.authority === 'operator') return { kind: 'operator' };
  if (viewer.creatorId !== null) {
    await allowWrite(viewer.creatorId);
    return { kind: 'creator', userId: viewer.creatorId };
  }
  throw unauthorized('Sign in to change links.');
}

/**
 * An account is managed by who is signed in to it: no key will do.
 * @throws DomainError UNAUTHORIZED
 */
export function requireUser({ viewer }: Pick<GraphqlContext, 'viewer'>): User {
  if (viewer.user) return viewer.user;
  throw unauthorized('Sign in to manage your account.');
}

export function unauthorized(advice: string): DomainError {
  return new DomainError('UNAUTHORIZED', `Unauthorized: ${advice}`);
}
