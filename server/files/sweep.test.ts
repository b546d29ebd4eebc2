import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  append,
  type FileStores,
  finished,
  openFileStores,
  rowsAndBlobs,
  start,
} from './file-stores.test.support.ts';
import {
  countUnknownBlobs,
  emptyQuarantine,
  releaseKnownBlobs,
  sweepAbandonedUploads,
  sweepUnneededBlobs,
} from './sweep.ts';
import { recordUnneeded } from './unneeded-blobs.ts';

const DAY = 24 * 60 * 60 * 1000;

describe.each(['sqlite', 'postgres'] as const)('the sweep on %s', (database) => {
  /** As if its bytes had last come at that time. */
  async function touch({ dataDir }: FileStores, blob: string, time: number): Promise<void> {
    await utimes(join(dataDir, 'blobs', blob), new Date(time), new Date(time));
  }

  async function sweep(files: FileStores, time: number) {
    const context = { ...files, now: () => time };
    const abandoned = await sweepAbandonedUploads(context);
    return { abandoned, ...(await sweepUnneededBlobs(context)) };
  }

  test('removes the half of an upload that nobody continued for a day, puts what was whole into quarantine, and nothing else', async () => {
    const files = await openFileStores(database);
    const now = 10 * DAY;
    const stale = await start(files);
    await append(files, stale, 0, 'hel');
    await touch(files, stale.blob, now - DAY - 1);
    const neverBegun = await start(files);
    // Whole, as a power cut leaves it before its row is written; another copy may know it finished.
    const whole = await start(files);
    await append(files, whole, 0, 'hello');
    await touch(files, whole.blob, now - DAY - 1);
    const continued = await start(files);
    await append(files, continued, 0, 'hel');
    await touch(files, continued.blob, now - DAY + 1);
    const old = await finished(files);
    await touch(files, old.blob, 1);
    const unknown = 'a'.repeat(32);
    await (await files.store.openForAppend(unknown, 0, 1)).close();
    await touch(files, unknown, 1);

    expect(await sweep(files, now)).toMatchObject({
      abandoned: { removed: 2, removedBytes: 3 },
      quarantined: 1,
      quarantinedBytes: 5,
    });

    const { rows, blobs } = await rowsAndBlobs(files);
    expect(rows.sort()).toEqual([continued.blob, old.blob].sort());
    expect(blobs.sort()).toEqual([continued.blob, old.blob, 'quarantine', unknown].sort());
    expect(rows).not.toContain(neverBegun.blob);
    const recorded = await files.db.selectFrom('unneeded_blob').select('blob').execute();
    expect(recorded).toEqual([{ blob: whole.blob }]);
    const quarantine = join(files.dataDir, 'blobs', 'quarantine');
    expect(await readdir(quarantine)).toEqual([whole.blob]);
    expect(await countUnknownBlobs(files)).toBe(1);

    await touch(files, continued.blob, now + 30 * DAY);
    expect(await sweep(files, now + 30 * DAY)).toMatchObject({ quarantined: 0, removed: 0 });
    const later = await sweep(files, now + 30 * DAY + 1);
    expect(later).toMatchObject({ quarantined: 0, removed: 1, removedBytes: 5 });
    expect(await readdir(quarantine)).toEqual([]);
    expect((await rowsAndBlobs(files)).blobs).toContain(unknown);
    await files.close();
  });

  test('touches no blob that a row names, whatever else is recorded of it', async () => {
    const files = await openFileStores(database);
    const { db, store } = files;
    const { blob } = await finished(files);
    await recordUnneeded(db, blob, 1);
    expect(await sweep(files, 2)).toMatchObject({ quarantined: 0, removed: 0 });
    expect(await store.sizeOf(blob)).toBe(5);
    expect(await db.selectFrom('unneeded_blob').selectAll().execute()).toEqual([]);
    await files.close();
  });

  test('is undone where the database knows the blob again', { tags: 'long' }, async () => {
    const files = await openFileStores(database);
    const file = await finished(files);
    const { db, store } = files;
    await recordUnneeded(db, file.blob, 1);
    await db.deleteFrom('file').where('blob', '=', file.blob).execute();
    await sweep(files, 2);
    expect(await store.sizeOf(file.blob)).toBeNull();
    await db.insertInto('file').values(file).execute();
    expect(await emptyQuarantine({ db, store })).toEqual({ removed: 0, removedBytes: 0 });
    expect(await releaseKnownBlobs({ db, store })).toBe(1);
    expect(await store.sizeOf(file.blob)).toBe(5);
    expect(await sweep(files, 100 * DAY)).toMatchObject({ quarantined: 0, removed: 0 });
    expect(await store.sizeOf(file.blob)).toBe(5);
    await files.close();
  });

  test('leaves nothing in a quarantine that the operator empties', { tags: 'long' }, async () => {
    const files = await openFileStores(database);
    const { db, store } = files;
    const file = await finished(files);
    await recordUnneeded(db, file.blob, 1);
    await db.deleteFrom('file').where('blob', '=', file.blob).execute();
    await sweep(files, 2);
    expect(await emptyQuarantine({ db, store })).toEqual({ removed: 1, removedBytes: 5 });
    expect(await readdir(join(files.dataDir, 'blobs', 'quarantine'))).toEqual([]);
    expect(await db.selectFrom('unneeded_blob').selectAll().execute()).toEqual([]);
    await files.close();
  });
});
