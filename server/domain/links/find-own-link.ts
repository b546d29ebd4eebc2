import { TEXTS } from '../../../contract/texts.ts';
import { DomainError } from '../domain-error.ts';
import type { Database } from '../tables.ts';
import type { Link } from './tables.ts';

/** Who changes links: a creator their own, the operator every one. */
export type LinkAuthor = { kind: 'creator'; userId: string } | { kind: 'operator' };

/** @throws DomainError LINK_NOT_FOUND, UNAUTHORIZED */
export async function findOwnLink(db: Database, author: LinkAuthor, id: string): Promise<Link> {
  const link = await db
    .selectFrom('link')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!link) throw new DomainError('LINK_NOT_FOUND', TEXTS.linkNotFound);
  if (author.kind === 'creator' && author.userId !== link.owner_id) {
    throw new DomainError('UNAUTHORIZED', 'Not authorized to change this link.');
  }
  return link;
}
