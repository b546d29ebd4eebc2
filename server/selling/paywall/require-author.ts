import type { LinkAuthor } from '../../catalog/links/queries.ts';
import type { GraphqlContext } from '../../edge/graphql/builder.ts';
import { requireScope } from '../../ground/lib/viewer.ts';

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
