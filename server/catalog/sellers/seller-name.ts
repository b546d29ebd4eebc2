import { holdsControls, isBlank, isLongerThan, seenText } from '../../../contract/characters.ts';
import { fact } from '../../../contract/fact.ts';
import { MAX_SELLER_NAME_LENGTH } from '../../../contract/limits.ts';
import { prepare } from '../../ground/database/prepare.ts';
import type { Database } from '../../ground/database/tables.ts';
import { announce } from '../../ground/database/transaction.ts';
import { batchReads } from '../../ground/lib/batch-reads.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import type { LinkReaders, LinkSeller } from '../links/queries.ts';

const sellersAmong = (db: Database, ownerIds: string[]) =>
  db
    .selectFrom('seller')
    .leftJoin('seller_handle', (join) =>
      join
        .onRef('seller_handle.owner_id', '=', 'seller.owner_id')
        .on('seller_handle.left_at', 'is', null),
    )
    .where('seller.owner_id', 'in', ownerIds)
    .select(['seller.owner_id', 'seller.name', 'seller_handle.handle'])
    // Most have none: no link of theirs has to be asked for its own.
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('discount')
          .whereRef('discount.owner_id', '=', 'seller.owner_id')
          .where('discount.ended_at', 'is', null)
          .select('discount.id'),
      ).as('has_codes'),
    );

/** Most pages name one. */
const readSeller = prepare((db, ownerId: string) => sellersAmong(db, [ownerId]));

const NOBODY: LinkSeller = { name: null, handle: null, hasCodes: false };

/** Finds who accounts sell as: those of a list by one query. */
export function createFindSeller(db: Database): LinkReaders['findSeller'] {
  const read = batchReads(async (ownerIds) => {
    const [first = '', ...others] = ownerIds;
    const rows =
      others.length === 0
        ? await readSeller(db, first)
        : await sellersAmong(db, ownerIds).execute();
    return new Map(
      rows.map(({ owner_id, name, handle, has_codes }) => [
        owner_id,
        { name: seenText(name), handle, hasCodes: Boolean(has_codes) },
      ]),
    );
  });
  return async (ownerId) => (await read(ownerId)) ?? NOBODY;
}

/**
 * Changes who buyers are told they buy from; null and '' take it back.
 * @returns the name as it is kept
 * @throws DomainError INVALID_SELLER_NAME
 */
export async function setSellerName(
  db: Database,
  { ownerId, name: text }: { ownerId: string; name: string | null | undefined },
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
  announce(db, { kind: 'seller-changed', id: ownerId, ownerId });
  return name;
}

/**
 * The name without surrounding space, or null when it is taken back or nothing of it can be seen.
 * @throws DomainError INVALID_SELLER_NAME
 */
export function validateSellerName(text: string | null | undefined): string | null {
  const name = text?.normalize('NFC').trim() ?? '';
  if (isBlank(name)) return null;
  if (isLongerThan(name, MAX_SELLER_NAME_LENGTH)) {
    throw new DomainError(
      'INVALID_SELLER_NAME',
      fact('The seller name is longer than {limit} characters.', { limit: MAX_SELLER_NAME_LENGTH }),
    );
  }
  if (holdsControls(name)) {
    throw new DomainError(
      'INVALID_SELLER_NAME',
      'The seller name contains line breaks or invisible control characters.',
    );
  }
  return name;
}
