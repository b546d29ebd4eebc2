import { isBlank, seenText } from '../../../contract/characters.ts';
import { checkSellerName, tidySellerName } from '../../../contract/seller-rules.ts';
import { prepare } from '../../ground/database/prepare.ts';
import type { Database } from '../../ground/database/tables.ts';
import { announce } from '../../ground/database/transaction.ts';
import { batchReads } from '../../ground/lib/batch-reads.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import type { LinkReaders, LinkSeller } from '../links/queries.ts';
import { pictureOf } from './queries.ts';

const sellersAmong = (db: Database, ownerIds: string[]) =>
  db
    .selectFrom('seller')
    .leftJoin('seller_handle', (join) =>
      join
        .onRef('seller_handle.owner_id', '=', 'seller.owner_id')
        .on('seller_handle.left_at', 'is', null),
    )
    .leftJoin('seller_page', 'seller_page.owner_id', 'seller_handle.owner_id')
    .leftJoin('suspension', 'suspension.user_id', 'seller.owner_id')
    .where('seller.owner_id', 'in', ownerIds)
    .select(['seller.owner_id', 'seller.name', 'seller_handle.handle'])
    .select(['picture', 'picture_width', 'picture_height', 'suspension.user_id as suspended_id'])
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

const NOBODY: LinkSeller = { name: null, handle: null, picture: null, hasCodes: false };

/** Finds who accounts sell as: those of a list by one query. */
export function createFindSeller(db: Database): LinkReaders['findSeller'] {
  const read = batchReads(async (ownerIds) => {
    const [first = '', ...others] = ownerIds;
    const rows =
      others.length === 0
        ? await readSeller(db, first)
        : await sellersAmong(db, ownerIds).execute();
    return new Map(
      rows.map(({ owner_id, name, handle, has_codes, suspended_id, ...page }) => [
        owner_id,
        {
          name: seenText(name),
          handle,
          picture: suspended_id === null ? pictureOf(page) : null,
          hasCodes: Boolean(has_codes),
        },
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
  const name = tidySellerName(text ?? '');
  if (isBlank(name)) return null;
  const fault = checkSellerName(name);
  if (fault) throw new DomainError('INVALID_SELLER_NAME', fault);
  return name;
}

const unasked = prepare((db, accountId: string) =>
  db
    .selectFrom('user')
    .where('id', '=', accountId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('seller').where('owner_id', '=', accountId).select('owner_id'))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('link').where('owner_id', '=', accountId).select('id'))),
    )
    .select('id'),
);

/** Whether an account has yet to say who buyers are told they buy from: it is asked once. */
export async function asksSellerName(db: Database, accountId: string): Promise<boolean> {
  return (await unasked(db, accountId)).length > 0;
}
