import type { GraphqlContext } from '../graphql/builder.ts';
import { requireScope } from '../lib/viewer.ts';
import type { LinkAuthor } from '../links/queries.ts';

/** @throws DomainError UNAUTHORIZED or SCOPE_MISSING unless the viewer may write links, RATE_LIMITED in a flood */
export async function requireAuthor({
  viewer,
  limits,
}: Pick<GraphqlContext, 'viewer' | 'limits'>): Promise<LinkAuthor> {
  if (viewer.authority === 'operator') return { kind: 'operator' };
  const userId = requireScope(viewer, 'sell', 'Unauthorized: Sign in to change links.');
  await limits.take('writes', userId);
  return { kind: 'creator', userId };
}
