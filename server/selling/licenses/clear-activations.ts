import { findOwnLink, type LinkAuthor } from '../../catalog/links/queries.ts';
import type { DatabaseContext } from '../../ground/database/tables.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';

/**
 * Frees the devices of a license key.
 * @throws DomainError NOT_FOUND, LINK_NOT_FOUND, UNAUTHORIZED
 */
export async function clearActivations(
  { db }: Pick<DatabaseContext, 'db'>,
  { author, id }: { author: LinkAuthor; id: string },
): Promise<void> {
  const found = await db
    .selectFrom('license_key')
    .where('id', '=', id)
    .select('link_id')
    .executeTakeFirst();
  if (!found) throw new DomainError('NOT_FOUND', 'There is no such license key.');
  await findOwnLink(db, author, found.link_id, { deletedToo: true });
  await db.deleteFrom('license_activation').where('key_id', '=', id).execute();
}
