import { fact } from '../../../contract/fact.ts';
import { findShortLink } from '../../catalog/links/short-names.ts';
import { findSellerPage } from '../../catalog/sellers/queries.ts';
import type { Database } from '../../ground/database/tables.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';

/** "1a2b3c4d", as the end of an address or alone. */
const ID = /(?:^|\/p\/)([0-9a-f]{8})(?:[/?#]|$)/i;
/** "https://pay.example.com/s/ada/notes" */
const SHORT_ADDRESS = /\/s\/([^/?#]+)\/([^/?#]+)/;

/**
 * Reads links of a creator's as they are typed or pasted: as ids, or addresses of either kind.
 * @returns their ids, each once
 * @throws DomainError INVALID_INPUT for what is not theirs
 */
export async function findNamedLinks(
  db: Database,
  ownerId: string,
  names: string[],
): Promise<string[]> {
  const ids = new Set<string>();
  for (const name of names) {
    const [, handle, shortName] = SHORT_ADDRESS.exec(name) ?? [];
    const page = handle ? await findSellerPage(db, handle) : null;
    const id = shortName
      ? page && (await findShortLink(db, page.ownerId, shortName))
      : ID.exec(name)?.[1]?.toLowerCase();
    const own = await db
      .selectFrom('link')
      .where('id', '=', id ?? '')
      .where('owner_id', '=', ownerId)
      .where('deleted_at', 'is', null)
      .select('id')
      .executeTakeFirst();
    if (!own) throw new DomainError('INVALID_INPUT', fact('You have no link “{name}”.', { name }));
    ids.add(own.id);
  }
  return [...ids];
}
