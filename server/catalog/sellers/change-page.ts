import { fact } from '../../../contract/fact.ts';
import { tidyDescription } from '../../../contract/link-rules.ts';
import {
  checkAbout,
  checkHandle,
  checkSellerLinks,
  tidyHandle,
} from '../../../contract/seller-rules.ts';
import type {
  Database,
  DatabaseContext,
  DatabaseTransaction,
} from '../../ground/database/tables.ts';
import { announce, transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { refuseIf } from '../links/validate.ts';

/** How long an address that was left leads to the new one, and is nobody else's. */
const HELD_MS = 366 * 24 * 60 * 60 * 1000;
/** Addresses that an account may have left within that time. */
const MAX_LEFT_HANDLES = 5;

interface ChangePageInput {
  ownerId: string;
  /** What the address ends with; null or '' takes the page away. */
  handle?: string | null | undefined;
  about?: string | null | undefined;
  links: readonly string[];
}

/**
 * Gives a seller a page, or changes it. An address that is left leads to the new one for a year.
 * @returns the handle as it is kept
 * @throws DomainError INVALID_HANDLE, HANDLE_TAKEN, TOO_MANY_HANDLES, INVALID_ABOUT,
 *   INVALID_SELLER_LINK
 */
export async function changePage(
  { db, now }: DatabaseContext,
  { ownerId, handle: typed, about: text, links: given }: ChangePageInput,
): Promise<string | null> {
  const handle = tidyHandle(typed ?? '') || null;
  if (handle) refuseIf(checkHandle(handle), 'INVALID_HANDLE');
  const about = tidyDescription(text ?? '');
  refuseIf(checkAbout(about), 'INVALID_ABOUT');
  const typedLinks = given.map((link) => link.trim()).filter((link) => link !== '');
  refuseIf(checkSellerLinks(typedLinks), 'INVALID_SELLER_LINK');
  const links = JSON.stringify(typedLinks.map((link) => new URL(link).href));
  await transaction(db, async (trx) => {
    // First of all: changes of one seller wait for each other at this row.
    await touchSeller(trx, ownerId);
    await moveTo(trx, ownerId, handle, now());
    await trx
      .insertInto('seller_page')
      .values({ owner_id: ownerId, about: about || null, links })
      .onConflict((conflict) =>
        conflict.column('owner_id').doUpdateSet({ about: about || null, links }),
      )
      .execute();
  });
  return handle;
}

/** What kept pages are revalidated by; the row is the caller's until its transaction ends. */
export async function touchSeller(trx: DatabaseTransaction, ownerId: string): Promise<void> {
  await trx
    .insertInto('seller')
    .values({ owner_id: ownerId, name: null, version: 1 })
    .onConflict((conflict) =>
      conflict
        .column('owner_id')
        .doUpdateSet((update) => ({ version: update('seller.version', '+', 1) })),
    )
    .execute();
  announce(trx, { kind: 'seller-changed', id: ownerId, ownerId });
}

async function moveTo(
  trx: DatabaseTransaction,
  ownerId: string,
  handle: string | null,
  now: number,
): Promise<void> {
  await leaveHandle(trx, ownerId, now, handle);
  if (handle === null) return;
  const taken = await trx
    .insertInto('seller_handle')
    .values({ handle, owner_id: ownerId, left_at: null })
    .onConflict((conflict) =>
      conflict
        .column('handle')
        .doUpdateSet({ left_at: null })
        .where('seller_handle.owner_id', '=', ownerId),
    )
    .returning('handle')
    .executeTakeFirst();
  if (!taken) {
    throw new DomainError('HANDLE_TAKEN', 'This address is taken. Choose another one.');
  }
  const left = await trx
    .selectFrom('seller_handle')
    .where('owner_id', '=', ownerId)
    .where('left_at', 'is not', null)
    .select('handle')
    .execute();
  if (left.length > MAX_LEFT_HANDLES) {
    throw new DomainError(
      'TOO_MANY_HANDLES',
      fact(
        'You have changed the address of your page {count} times within a year. Go back to an earlier one, or try again later.',
        { count: MAX_LEFT_HANDLES },
      ),
    );
  }
}

/** Gives up the address of a page, unless it is the one to keep. */
export async function leaveHandle(
  trx: DatabaseTransaction,
  ownerId: string,
  now: number,
  kept: string | null = null,
): Promise<void> {
  await trx
    .updateTable('seller_handle')
    .set({ left_at: now })
    .where('owner_id', '=', ownerId)
    .where('left_at', 'is', null)
    .$if(kept !== null, (query) => query.where('handle', '!=', kept ?? ''))
    .execute();
}

/** Lets others have the addresses that were left long enough ago. @param now UTC milliseconds */
export async function sweepHandles(db: Database, now: number): Promise<void> {
  await db
    .deleteFrom('seller_handle')
    .where('left_at', '<=', now - HELD_MS)
    .execute();
}
