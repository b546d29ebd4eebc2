import { findOwnLink, type LinkAuthor } from '../../catalog/links/queries.ts';
import type { DatabaseContext } from '../../ground/database/tables.ts';
import { announce, transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { holdLink } from './hold-link.ts';

/**
 * Takes keys off the seller's own list of a link that nobody has bought.
 * @returns how many: those that are sold by now stay with their buyers
 * @throws DomainError LINK_NOT_FOUND, UNAUTHORIZED, NOT_FOUND where none of them is unsold
 */
export async function removeLicenseKeys(
  { db, now }: DatabaseContext,
  { author, linkId, ids }: { author: LinkAuthor; linkId: string; ids: string[] },
): Promise<number> {
  if (ids.length === 0) return 0;
  return transaction(db, async (trx) => {
    const link = await findOwnLink(trx, author, linkId, { deletedToo: true });
    await holdLink(trx, link.id, now());
    const { numDeletedRows } = await trx
      .deleteFrom('license_key')
      .where('link_id', '=', link.id)
      .where('purchase_id', 'is', null)
      .where('id', 'in', ids)
      .executeTakeFirst();
    if (numDeletedRows === 0n) {
      throw new DomainError('NOT_FOUND', 'This license key has just been sold or removed.');
    }
    announce(trx, { kind: 'link-updated', id: link.id, ownerId: link.owner_id });
    return Number(numDeletedRows);
  });
}
