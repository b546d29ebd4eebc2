import { DomainError } from '../../domain/domain-error.ts';
import type { LinkAuthor } from '../../domain/links/find-own-link.ts';
import type { GraphqlContext } from './builder.ts';

/** The publishable key and more may read; without any key or session nothing is. */
export function requireReader({ viewer }: GraphqlContext): void {
  if (viewer.authority === 'none') throw unauthorized('Send an API key or sign in.');
}

/** @throws DomainError UNAUTHORIZED unless the viewer may write links, RATE_LIMITED in a flood */
export async function requireAuthor({ viewer, allowWrite }: GraphqlContext): Promise<LinkAuthor> {
  if (viewer.authority === 'operator') return { kind: 'operator' };
  if (viewer.user) {
    await allowWrite(viewer.user.id);
    return { kind: 'creator', userId: viewer.user.id };
  }
  throw unauthorized('Sign in to change links.');
}

export function unauthorized(advice: string): DomainError {
  return new DomainError('UNAUTHORIZED', `Unauthorized: ${advice}`);
}
