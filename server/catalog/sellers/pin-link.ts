import { fact } from '../../../contract/fact.ts';
import { MAX_PINNED_LINKS } from '../../../contract/limits.ts';
import type { DatabaseContext } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { findOwnLink } from '../links/queries.ts';
import { touchSeller } from './change-page.ts';
import { readPinnedLinks } from './queries.ts';

/**
 * Puts a link first on its seller's page, or back among the others.
 * @throws DomainError LINK_NOT_FOUND, UNAUTHORIZED, TOO_MANY_PINNED_LINKS
 */
export async function pinLink(
  { db, now }: DatabaseContext,
  { ownerId, id, pinned }: { ownerId: string; id: string; pinned: boolean },
): Promise<void> {
  await transaction(db, async (trx) => {
    await touchSeller(trx, ownerId);
    await findOwnLink(trx, { kind: 'creator', userId: ownerId }, id);
    await trx.deleteFrom('pinned_link').where('link_id', '=', id).execute();
    if (!pinned) return;
    await trx
      .insertInto('pinned_link')
      .values({ link_id: id, owner_id: ownerId, pinned_at: now() })
      .execute();
    // One that is not shown, as it was deleted or is unlisted, gives its place to another.
    const shown = await readPinnedLinks(trx, ownerId, MAX_PINNED_LINKS + 1);
    if (shown.length > MAX_PINNED_LINKS) {
      throw new DomainError(
        'TOO_MANY_PINNED_LINKS',
        fact('At most {limit} links can be pinned. Unpin another one first.', {
          limit: MAX_PINNED_LINKS,
        }),
      );
    }
  });
}
