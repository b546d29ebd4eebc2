import type { Database } from '../ground/database/tables.ts';
import { transaction } from '../ground/database/transaction.ts';
import { isThere } from '../ground/lib/is-there.ts';
import type { FileStore } from './file-store.ts';
import { releaseLinkId } from './link-id.ts';
import { isKnownBlob, quarantineBlob, recordNeeded, recordUnneeded } from './unneeded-blobs.ts';

/** What a sweep works with: of the store, what it calls. */
export interface SweepContext<Call extends keyof FileStore> {
  db: Database;
  store: Pick<FileStore, Call>;
  now: () => number;
}

/** How long a broken upload can be resumed. */
const KEPT_FOR_MS = 24 * 60 * 60 * 1000;

/**
 * Removes the uploads that nobody has continued for a day. An incomplete file was never sold by any
 * copy of the database, so it is removed immediately; a complete one goes to quarantine next.
 * @returns how many blobs were removed, and their bytes
 */
export async function sweepAbandonedUploads({
  db,
  store,
  now,
}: SweepContext<'changedAt' | 'sizeOf' | 'remove'>): Promise<Removed> {
  const sweptAt = now();
  const before = sweptAt - KEPT_FOR_MS;
  const abandoned = await db
    .selectFrom('file')
    .select(['blob', 'size_bytes'])
    .where('finished_at', 'is', null)
    .where('created_at', '<', before)
    .execute();
  const swept = { removed: 0, removedBytes: 0 };
  for (const { blob, size_bytes } of abandoned) {
    if (((await store.changedAt(blob)) ?? 0) >= before) continue;
    if (!(await giveUp(db, blob, sweptAt))) continue;
    const bytes = (await store.sizeOf(blob)) ?? 0;
    if (bytes >= size_bytes) continue;
    await store.remove(blob);
    await recordNeeded(db, blob);
    swept.removed += 1;
    swept.removedBytes += bytes;
  }
  return swept;
}

/** An upload that is finished at this moment keeps its row, and so its bytes. */
async function giveUp(db: Database, blob: string, now: number): Promise<boolean> {
  return transaction(db, async (trx) => {
    const row = await trx
      .deleteFrom('file')
      .where('blob', '=', blob)
      .where('finished_at', 'is', null)
      .returning(['owner_id', 'size_bytes', 'link_id'])
      .executeTakeFirst();
    if (!row) return false;
    await recordUnneeded(trx, blob, now, row);
    await releaseLinkId(trx, row.link_id);
    return true;
  });
}

/** Time to find out that a newer or older copy of the database must be restored, and to do so. */
const QUARANTINED_FOR_MS = 30 * 24 * 60 * 60 * 1000;

interface Removed {
  removed: number;
  removedBytes: number;
}

export interface Swept extends Removed {
  quarantined: number;
  quarantinedBytes: number;
}

/**
 * Moves blobs that this database no longer needs to quarantine, and removes them from there after
 * 30 days. A blob that it does not know is never touched: another copy of the database may know it.
 */
export async function sweepUnneededBlobs({
  db,
  store,
  now,
}: SweepContext<'quarantine' | 'removeQuarantined'>): Promise<Swept> {
  const sweptAt = now();
  const swept = { quarantined: 0, quarantinedBytes: 0, removed: 0, removedBytes: 0 };
  const due = await db
    .selectFrom('unneeded_blob')
    .selectAll()
    .where('due_at', '<=', sweptAt)
    .where(({ eb, or }) =>
      or([
        eb('quarantined_at', 'is', null),
        eb('quarantined_at', '<', sweptAt - QUARANTINED_FOR_MS),
      ]),
    )
    .execute();
  for (const { blob, quarantined_at } of due) {
    if (await isKnownBlob(db, blob)) {
      await recordNeeded(db, blob);
    } else if (quarantined_at === null) {
      swept.quarantinedBytes += await quarantineBlob(db, store, blob, sweptAt);
      swept.quarantined += 1;
    } else {
      swept.removedBytes += await store.removeQuarantined(blob);
      await recordNeeded(db, blob);
      swept.removed += 1;
    }
  }
  return swept;
}

/**
 * Permanently removes what is in quarantine and unknown to this database, without waiting.
 * @returns how many blobs, and their bytes
 */
export async function emptyQuarantine({
  db,
  store,
}: Omit<SweepContext<'listQuarantined' | 'removeQuarantined'>, 'now'>): Promise<Removed> {
  const swept = { removed: 0, removedBytes: 0 };
  for await (const blob of store.listQuarantined()) {
    if (await isKnownBlob(db, blob)) continue;
    swept.removedBytes += await store.removeQuarantined(blob);
    await recordNeeded(db, blob);
    swept.removed += 1;
  }
  return swept;
}

/**
 * Restores from quarantine what this database knows, as an older or newer copy of it may.
 * @returns how many blobs were restored
 */
export async function releaseKnownBlobs({
  db,
  store,
}: Omit<SweepContext<'listQuarantined' | 'release'>, 'now'>): Promise<number> {
  let released = 0;
  for await (const blob of store.listQuarantined()) {
    if (!(await isKnownBlob(db, blob))) continue;
    await store.release(blob);
    await recordNeeded(db, blob);
    released += 1;
  }
  return released;
}

/** @returns how many stored blobs this database does not know; they stay */
export async function countUnknownBlobs({
  db,
  store,
}: Omit<SweepContext<'list'>, 'now'>): Promise<number> {
  let unknown = 0;
  for await (const blob of store.list()) {
    if (await isKnownBlob(db, blob)) continue;
    const recorded = db.selectFrom('unneeded_blob').select('blob').where('blob', '=', blob);
    if (!(await isThere(recorded))) unknown += 1;
  }
  return unknown;
}
