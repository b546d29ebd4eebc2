import type { Database } from '../../tables.ts';
import { validateSellerName } from './validate-seller-name.ts';

/**
 * Changes who buyers are told they buy from; null and '' take it back.
 * @returns the name as it is kept
 * @throws DomainError INVALID_SELLER_NAME
 */
export async function setSellerName(
  db: Database,
  ownerId: string,
  text: string | null | undefined,
): Promise<string | null> {
  const name = validateSellerName(text);
  await db
    .insertInto('seller')
    .values({ owner_id: ownerId, name, version: 1 })
    .onConflict((conflict) =>
      conflict
        .column('owner_id')
        .doUpdateSet((update) => ({ name, version: update('seller.version', '+', 1) })),
    )
    .execute();
  return name;
}
