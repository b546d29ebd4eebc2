import type { BlobReader } from '../../files/file-store.ts';
import { isToBeChecked } from '../../files/queries.ts';
import type { StoredFile } from '../../files/tables.ts';
import type {
  Database,
  DatabaseContext,
  DatabaseTransaction,
} from '../../ground/database/tables.ts';
import { announce, transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';
import { filesOfVersion } from './queries.ts';
import type { Link } from './tables.ts';

/** Copies of PDFs with a stamp on each page: made when they are asked for, and kept for a while. */
export interface StampedCopies {
  /**
   * The same file and stamp always become the same bytes.
   * @returns null for a PDF that cannot be stamped: it is encrypted, signed, damaged or too large
   * @throws StampsBusyError, NoRoomError
   */
  copyOf(file: StoredFile, stamp: string): Promise<{ name: string; size: number } | null>;
  /** @throws Error with the code ENOENT for a copy that is kept no more */
  open(name: string): Promise<BlobReader>;
}

/** Others are stamped first. */
export class StampsBusyError extends DomainError {
  constructor() {
    super(
      'UNAVAILABLE',
      'Copies for many buyers are being made at the moment. Please try again in a minute.',
    );
  }
}

/** The disk has no room for a copy. */
export class NoRoomError extends Error {
  override name = 'NoRoomError';
}

export const isPdf = ({ media_type }: Pick<StoredFile, 'media_type'>): boolean =>
  media_type === 'application/pdf';

/**
 * Whether PDFs of a link carry their buyer from now on, in the transaction that has locked its row;
 * a job finds out whether those on sale can. The choice stays while none is on sale.
 * @param before as it was; null for a new one
 * @param wanted null to keep the choice; one that is made again is tried again
 * @returns the link as it is after that
 * @throws DomainError INVALID_INPUT if no PDF is sold
 */
export async function chooseStamp(
  trx: DatabaseTransaction,
  link: Link,
  before: Link | null,
  wanted: boolean | null | undefined,
  now: number,
): Promise<Link> {
  const stamp = Number(wanted ?? link.stamp === 1);
  const isSame = stamp === link.stamp && link.content_version === before?.content_version;
  if (isSame && (!wanted || link.stamp_failed === 0)) return link;
  if (stamp === 0 && link.stamp === 0) return link;
  if (stamp === 1) {
    const files = await filesOfVersion(trx, link.id, link.content_version);
    if (wanted && link.stamp === 0 && !files.some(isPdf)) {
      throw new DomainError(
        'INVALID_INPUT',
        'Only a PDF can be stamped, and this link sells none.',
      );
    }
    await enqueue(trx, 'try-stamp', { linkId: link.id }, now);
  }
  return trx
    .updateTable('link')
    .set({ stamp, stamp_failed: 0 })
    .where('id', '=', link.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** What stands for a buyer where a stamp is only tried. */
const TRIED = 'buyer@example.com';
/** How soon a file that is not checked yet, or others that are stamped first, are looked at again. */
const ASKED_AGAIN_MS = 5_000;

/**
 * Finds out whether the PDFs that a link sells can be stamped, for its owner to know. Repeating it is
 * harmless, and so is a link that was changed since. What is not checked yet is never opened.
 * @param again runs it again at a time in UTC milliseconds
 */
export async function tryStamp(
  { db, now, copies }: DatabaseContext & { copies: StampedCopies },
  linkId: string,
  again: (at: number) => void,
): Promise<void> {
  const link = await findStamped(db, linkId);
  if (!link) return;
  const files = (await filesOfVersion(db, linkId, link.content_version)).filter(isPdf);
  for (const file of files) {
    if (file.checked_at === null) {
      if (await isToBeChecked(db, file)) again(now() + ASKED_AGAIN_MS);
      return;
    }
    if (file.refused_because !== null) continue;
    try {
      if (await copies.copyOf(file, TRIED)) continue;
    } catch (error) {
      if (error instanceof StampsBusyError || error instanceof NoRoomError) {
        return again(now() + ASKED_AGAIN_MS);
      }
      throw error;
    }
    await transaction(db, (trx) => tellFailed(trx, link));
    return;
  }
}

const findStamped = (db: Database, id: string) =>
  db
    .selectFrom('link')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where('stamp', '=', 1)
    .executeTakeFirst();

async function tellFailed(trx: DatabaseTransaction, link: Link): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('link')
    .set((update) => ({ stamp_failed: 1, version: update('version', '+', 1) }))
    .where('id', '=', link.id)
    .where('content_version', '=', link.content_version)
    .where('stamp', '=', 1)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  announce(trx, { kind: 'link-updated', id: link.id, ownerId: link.owner_id });
}
