import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeOnBothDatabases } from '../../tests/on-both-databases.ts';
import { deleteFile } from '../delivery/delete-file.ts';
import { DomainError } from '../lib/domain-error.ts';
import { readmitUpload } from './admit-upload.ts';
import {
  abandonUpload,
  abandonWhenFull,
  appendToUpload,
  finishUpload,
} from './append-to-upload.ts';
import { requireWhole } from './file-store.ts';
import { type FileStores, openFileStores, useFileStores } from './file-stores.test.support.ts';
import { filesOfOwner, findFinishedFile, findUpload } from './queries.ts';
import { startUpload, type UploadInput } from './start-upload.ts';
import {
  countUnknownBlobs,
  emptyQuarantine,
  releaseKnownBlobs,
  sweepAbandonedUploads,
  sweepUnneededBlobs,
} from './sweep.ts';
import type { StoredFile } from './tables.ts';
import { recordNeeded, recordUnneeded } from './unneeded-blobs.ts';

const LIMIT = 5 * 1024 ** 3;
const BOUNDS = { maxFileBytes: LIMIT, accountQuotaBytes: 10 * LIMIT };
const DAY = 24 * 60 * 60 * 1000;

function start(
  files: FileStores,
  input: Partial<UploadInput> = {},
  bounds = BOUNDS,
): Promise<StoredFile> {
  const upload = {
    ownerId: 'ada',
    linkId: null,
    fileName: 'a.txt',
    mediaType: 'text/plain',
    sizeBytes: 5,
    ...input,
  };
  return startUpload({ ...files, ...bounds, now: () => 1 }, upload);
}

async function* batches(...texts: string[]) {
  for (const text of texts) yield [Buffer.from(text)];
}

function append(files: FileStores, upload: StoredFile, offset: number, ...texts: string[]) {
  return appendToUpload(files.store, upload, offset, batches(...texts));
}

async function finished(files: FileStores, input?: Partial<UploadInput>): Promise<StoredFile> {
  const upload = await start(files, input);
  await append(files, upload, 0, 'hello');
  return finishUpload({ ...files, now: () => 2 }, upload);
}

async function rowsAndBlobs({ db, dataDir }: FileStores) {
  const rows = await db.selectFrom('file').select('blob').execute();
  return { rows: rows.map(({ blob }) => blob), blobs: await readdir(join(dataDir, 'blobs')) };
}

describeOnBothDatabases('an upload', (database) => {
  const files = useFileStores(database);

  test('has a key of its link id and its safe name, and an opaque blob', async () => {
    const upload = await start(files, {
      linkId: '00000001',
      fileName: '../Étude "n°1" – 日本.pdf',
    });
    expect(upload).toMatchObject({
      key: 'public/00000001-Étude "n°1" – 日本.pdf',
      name: 'Étude "n°1" – 日本.pdf',
      finished_at: null,
    });
    expect(upload.blob).toMatch(/^[0-9a-f]{32}$/);
  });

  test('counts as a file only when it is finished', async () => {
    const upload = await start(files);
    expect(await append(files, upload, 0, 'he', 'l')).toBe(3);
    expect(await findFinishedFile(files.db, upload.key)).toBeUndefined();
    expect(await append(files, upload, 3, 'lo')).toBe(5);
    await finishUpload({ ...files, now: () => 7 }, upload);
    const file = await findFinishedFile(files.db, upload.key);
    expect(file).toMatchObject({ key: upload.key, finished_at: 7 });
    await finishUpload({ ...files, now: () => 8 }, upload);
    expect((await findFinishedFile(files.db, upload.key))?.finished_at).toBe(7);
  });

  test.each([
    [{ sizeBytes: 0 }, 'FILE_EMPTY', 'This file is empty. Choose another file.'],
    [{ sizeBytes: LIMIT + 1 }, 'FILE_TOO_LARGE', 'larger than the maximum of 5.4 GB'],
    [{ linkId: 'nonsense' }, 'INVALID_LINK_ID', '8 characters'],
  ])('is refused with %j and leaves nothing', async (input, code, message) => {
    const before = await rowsAndBlobs(files);
    const ids = await files.db.selectFrom('link_id').selectAll().execute();
    const refusal = await start(files, input).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(DomainError);
    expect(refusal).toMatchObject({ code, message: expect.stringContaining(message) });
    expect(await rowsAndBlobs(files)).toEqual(before);
    expect(await files.db.selectFrom('link_id').selectAll().execute()).toEqual(ids);
  });

  test('is refused when the disk has less room than it needs', async () => {
    const store = { ...files.store, measureSpace: async () => ({ free: 5 + 4, total: 100 }) };
    const input = { ownerId: 'ada', linkId: null, fileName: 'a', mediaType: 'a/b', sizeBytes: 5 };
    await expect(
      startUpload({ ...files, store, ...BOUNDS, now: () => 1 }, input),
    ).rejects.toMatchObject({
      code: 'STORAGE_FULL',
    });
  });

  test('has its key alone, also when many begin at once', async () => {
    const input = { linkId: '00000002', fileName: 'same.txt' };
    const answers = await Promise.allSettled(Array.from({ length: 10 }, () => start(files, input)));
    const refusals = answers.flatMap((answer) =>
      answer.status === 'rejected' ? answer.reason : [],
    );
    expect(refusals.map(({ code }) => code)).toEqual(Array.from({ length: 9 }, () => 'KEY_TAKEN'));
    await expect(start(files, { ...input, fileName: 'other.txt' })).resolves.toBeDefined();
  });

  test('is found by its owner only', async () => {
    const { blob } = await start(files, { ownerId: 'owner' });
    expect(await findUpload(files.db, 'owner', blob)).toBeDefined();
    expect(await findUpload(files.db, 'other', blob)).toBeUndefined();
  });

  test('keeps what came before the bytes broke off', async () => {
    const upload = await start(files);
    async function* broken() {
      yield* batches('hel');
      throw new Error('gone');
    }
    const append = appendToUpload(files.store, upload, 0, broken());
    await expect(append).rejects.toThrow('gone');
    expect(await files.store.sizeOf(upload.blob)).toBe(3);
    expect(await findUpload(files.db, 'ada', upload.blob)).toBeDefined();
  });

  test('takes no more bytes than it announced', async () => {
    const upload = await start(files);
    await expect(append(files, upload, 0, 'hello!')).rejects.toMatchObject({
      code: 'FILE_TOO_LARGE',
    });
    expect(await files.store.sizeOf(upload.blob)).toBe(0);
  });

  test('leaves nothing behind when the disk is full', async () => {
    const upload = await start(files);
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    const store = {
      ...files.store,
      async openForAppend(blob: string, offset: number) {
        const writer = await files.store.openForAppend(blob, offset);
        return { ...writer, write: () => Promise.reject(full) };
      },
    };
    const refused = abandonWhenFull({ ...files, store }, upload.blob, () =>
      appendToUpload(store, upload, 0, batches('hel')),
    );
    await expect(refused).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    const { rows, blobs } = await rowsAndBlobs(files);
    expect([...rows, ...blobs]).not.toContain(upload.blob);
  });

  test('is refused on its way when others have filled the disk, keeps what came, and goes on later', async () => {
    const MEBIBYTE = 1024 ** 2;
    let free = 100 * MEBIBYTE;
    const total = 100 * MEBIBYTE;
    const store = { ...files.store, measureSpace: async () => ({ free, total }) };
    const upload = await start({ ...files, store }, { sizeBytes: 20 * MEBIBYTE });
    async function* bytes(mebibytes: number) {
      for (let sent = 0; sent < mebibytes; sent += 1) {
        yield [Buffer.alloc(MEBIBYTE)];
        // 5 of 100 are kept for the database, and the next look is at 8 more.
        free = 5 * MEBIBYTE + 8 * MEBIBYTE - 1;
      }
    }
    const refused = abandonWhenFull({ ...files, store }, upload.blob, () =>
      appendToUpload(store, upload, 0, bytes(20)),
    );
    await expect(refused).rejects.toMatchObject({
      code: 'STORAGE_FULL',
      message:
        'The server does not have enough space for the rest of this file. Please continue the upload later.',
    });
    expect(await store.sizeOf(upload.blob)).toBe(8 * MEBIBYTE);
    free = 5 * MEBIBYTE + 12 * MEBIBYTE;
    expect(await appendToUpload(store, upload, 8 * MEBIBYTE, bytes(1))).toBe(9 * MEBIBYTE);
    await abandonUpload({ ...files, store }, upload.blob);
  });

  test('is abandoned with its bytes, but not once it is finished', async () => {
    const upload = await start(files);
    await append(files, upload, 0, 'hel');
    await abandonUpload(files, upload.blob);
    const { rows, blobs } = await rowsAndBlobs(files);
    expect([...rows, ...blobs]).not.toContain(upload.blob);
    await expect(finishUpload({ ...files, now: () => 2 }, upload)).rejects.toThrow();
    const file = await finished(files);
    const abandon = abandonUpload(files, file.blob);
    await expect(abandon).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await files.store.sizeOf(file.blob)).toBe(5);
  });

  test('is refused once its bytes are missing, naming blob and link to the log alone', async () => {
    const file = await finished(files);
    await requireWhole(files.store, file, file.link_id, 'Damaged.');
    await files.store.remove(file.blob);
    const refusal = requireWhole(files.store, file, file.link_id, 'Damaged.');
    await expect(refusal).rejects.toMatchObject({
      code: 'FILE_DAMAGED',
      message: 'Damaged.',
      cause: new Error(
        `The blob ${file.blob} of the link ${file.link_id} is missing (it had 5 bytes)`,
      ),
    });
  });

  test('is not finished when its row is gone', async () => {
    const upload = await start(files);
    await append(files, upload, 0, 'hello');
    await files.db.deleteFrom('file').where('blob', '=', upload.blob).execute();
    await expect(finishUpload({ ...files, now: () => 2 }, upload)).rejects.toMatchObject({
      code: 'UPLOAD_NOT_FOUND',
    });
  });
});

describeOnBothDatabases('a disk with room for one upload', (database) => {
  const files = useFileStores(database);
  const MEBIBYTE = 1024 ** 2;

  /** Has room for 5 MiB beside what is to stay free. */
  const store = () => ({
    ...files.store,
    async measureSpace() {
      const total = 100 * MEBIBYTE;
      let free = 10 * MEBIBYTE;
      for await (const blob of files.store.list()) {
        free -= (await files.store.sizeOf(blob)) ?? 0;
      }
      return { free, total };
    },
  });
  const begin = (mebibytes: number) =>
    start({ ...files, store: store() }, { sizeBytes: mebibytes * MEBIBYTE });

  test('admits one of many that begin at once, and tells the others why', async () => {
    const answers = await Promise.allSettled(Array.from({ length: 5 }, () => begin(3)));
    const admitted = answers.flatMap((answer) =>
      answer.status === 'fulfilled' ? answer.value : [],
    );
    expect(admitted).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status === 'fulfilled') continue;
      expect(answer.reason).toMatchObject({
        code: 'STORAGE_FULL',
        message: expect.stringContaining('uploads in progress'),
      });
    }
    expect((await rowsAndBlobs(files)).rows).toEqual(admitted.map(({ blob }) => blob));
    for (const { blob } of admitted) await abandonUpload(files, blob);
  });

  test('counts what came of an upload once, and gives back what was kept for it', async () => {
    const running = await begin(4);
    async function* half() {
      yield [Buffer.alloc(2 * MEBIBYTE)];
    }
    await appendToUpload(files.store, running, 0, half());
    await expect(begin(2)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    const beside = await begin(1);
    await abandonUpload(files, running.blob);
    await expect(begin(5)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    await begin(4);
    expect((await rowsAndBlobs(files)).rows).toContain(beside.blob);
  });
});

describeOnBothDatabases('an upload that stands still', (database) => {
  const files = useFileStores(database);
  const later = Date.now() + 11 * 60 * 1000;
  /** Has room for 5 bytes beside what is to stay free, whatever is there. */
  const space = async () => ({ free: 5 + 5, total: 100 });
  const store = () => ({ ...files.store, measureSpace: space });
  const begin = (at: number) => {
    const input = { ownerId: 'ada', linkId: null, fileName: 'a', mediaType: 'a/b', sizeBytes: 4 };
    return startUpload({ ...files, store: store(), ...BOUNDS, now: () => at }, input);
  };

  test('holds no room from others, and is given it again when it goes on', async () => {
    const idle = await begin(Date.now());
    await append(files, idle, 0, 'h');
    await expect(begin(Date.now())).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    const other = await begin(later);
    await expect(
      readmitUpload({ ...files, store: store(), now: () => later }, idle),
    ).rejects.toMatchObject({
      code: 'STORAGE_FULL',
      message:
        'The server does not have enough space for the rest of this file beside the uploads in progress. What has been uploaded is kept: please continue the upload later.',
    });
    expect(await findUpload(files.db, 'ada', idle.blob)).toEqual(idle);
    expect(await files.store.sizeOf(idle.blob)).toBe(1);
    await abandonUpload(files, other.blob);
    await readmitUpload({ ...files, store: store(), now: () => later }, idle);
    await expect(begin(later)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    await abandonUpload(files, idle.blob);
  });

  test('is given it alone when many go on at once', async () => {
    const idle = [await begin(1), await begin(later - 10 * 60 * 1000), await begin(later)];
    await abandonUpload(files, idle.pop()?.blob ?? '');
    const answers = await Promise.allSettled(
      idle.map((upload) => readmitUpload({ ...files, store: store(), now: () => later }, upload)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    for (const { blob } of idle) await abandonUpload(files, blob);
  });
});

describeOnBothDatabases('the quota of an account', (database) => {
  const files = useFileStores(database);
  const QUOTA = 10 * LIMIT;
  const GIBIBYTE = 1024 ** 3;
  /** Ten of them are the whole quota. No disk of a test has so much room. */
  const begin = (ownerId: string, sizeBytes = LIMIT) => {
    const measureSpace = async () => ({ free: 2 * QUOTA, total: 2 * QUOTA });
    return start(
      { ...files, store: { ...files.store, measureSpace } },
      { ownerId, linkId: null, sizeBytes },
    );
  };
  const endAll = async (ownerId: string) => {
    const rows = await files.db
      .selectFrom('file')
      .select('blob')
      .where('owner_id', '=', ownerId)
      .where('finished_at', 'is', null)
      .execute();
    for (const { blob } of rows) await abandonUpload(files, blob);
  };

  test('lets as many of 50 parallel uploads begin as fit, and says to the others how much is used', async () => {
    const answers = await Promise.allSettled(Array.from({ length: 50 }, () => begin('ada')));
    const refusals = answers.flatMap((answer) =>
      answer.status === 'rejected' ? [answer.reason] : [],
    );
    expect(answers.length - refusals.length).toBe(10);
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({
        code: 'QUOTA_EXCEEDED',
        message:
          'Your files, including unfinished uploads, use 53.7 GB of your account’s 53.7 GB, and this one is 5.4 GB. Delete files that you no longer sell, or ask the operator of this site for more space.',
      });
    }
    await begin('eve', 1);
    await endAll('eve');
    await endAll('ada');
  });

  test('counts what is finished', async () => {
    await finished(files, { ownerId: 'bob' });
    for (let uploads = 0; uploads < 9; uploads += 1) await begin('bob');
    await expect(begin('bob', LIMIT - 4)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    await begin('bob', LIMIT - 5);
    await endAll('bob');
  });

  test('counts what was deleted too, until it is removed for good, and lets that be as much again', async () => {
    await recordUnneeded(files.db, 'c'.repeat(32), 1, { owner_id: 'cid', size_bytes: QUOTA });
    for (let uploads = 0; uploads < 9; uploads += 1) await begin('cid');
    await begin('cid', LIMIT - GIBIBYTE);
    await recordUnneeded(files.db, 'd'.repeat(32), 1, { owner_id: 'cid', size_bytes: GIBIBYTE });
    await expect(begin('cid', 1)).rejects.toMatchObject({
      code: 'QUOTA_EXCEEDED',
      message:
        'Deleted files are kept for 30 days, and yours still use 54.8 GB. Together with the 52.6 GB of your other files, that leaves no room for this one (1 byte). Please try again later, or ask the operator of this site for more space.',
    });
    await recordNeeded(files.db, 'd'.repeat(32));
    await begin('cid', 1);
    await endAll('cid');
  });

  test('of open uploads is a hundred', async () => {
    await Promise.all(Array.from({ length: 100 }, () => begin('dan', 1)));
    await expect(begin('dan', 1)).rejects.toMatchObject({
      code: 'TOO_MANY_OPEN_UPLOADS',
      message: expect.stringContaining('You have 100 unfinished uploads.'),
    });
    await begin('eve', 1);
    const [first] = await files.db
      .selectFrom('file')
      .select('blob')
      .where('owner_id', '=', 'dan')
      .limit(1)
      .execute();
    await abandonUpload(files, first?.blob ?? '');
    await begin('dan', 1);
  });
});

describeOnBothDatabases('a link id that nothing came of', (database) => {
  const files = useFileStores(database);
  const reserved = async () =>
    (await files.db.selectFrom('link_id').select('id').execute()).map(({ id }) => id).sort();

  test('is given back with its last upload, however that ends', async () => {
    const canceled = await start(files, { linkId: '00000001' });
    const second = await start(files, { linkId: '00000001', fileName: 'b.txt' });
    const swept = await start(files, { linkId: '00000002' });
    const deleted = await finished(files, { linkId: '00000003' });
    expect(await reserved()).toEqual(['00000001', '00000002', '00000003']);
    await abandonUpload(files, canceled.blob);
    await sweepAbandonedUploads({ ...files, now: () => swept.created_at });
    expect(await reserved()).toEqual(['00000001', '00000002', '00000003']);
    await abandonUpload(files, second.blob);
    await sweepAbandonedUploads({ ...files, now: () => Date.now() + 2 * DAY });
    await deleteFile({ ...files, now: () => 3 }, { key: deleted.key, ownerId: 'ada' });
    expect(await reserved()).toEqual([]);
    const { owner_id, size_bytes } = deleted;
    const unneeded = files.db.selectFrom('unneeded_blob').where('blob', '=', deleted.blob);
    expect(await unneeded.select(['owner_id', 'size_bytes']).execute()).toEqual([
      { owner_id, size_bytes },
    ]);
  });

  test('stays when another upload of it begins at the same moment', async () => {
    for (let round = 0; round < 10; round += 1) {
      const first = await start(files, { linkId: '00000004', fileName: `a${round}` });
      const [began] = await Promise.allSettled([
        start(files, { linkId: '00000004', fileName: `b${round}` }),
        abandonUpload(files, first.blob),
      ]);
      expect(began).toMatchObject({ status: 'fulfilled' });
      if (began.status === 'fulfilled') {
        await abandonUpload(files, began.value.blob);
      }
    }
  });
});

describeOnBothDatabases('the files of an owner', (database) => {
  const files = useFileStores(database);

  test('are listed in pages by key, the finished ones only', async () => {
    for (const name of ['c', 'a', 'b']) {
      await finished(files, { ownerId: 'owner', linkId: '0000000a', fileName: name });
    }
    await start(files, { ownerId: 'owner', linkId: '0000000a', fileName: 'd' });
    await finished(files, { ownerId: 'other' });
    const first = await filesOfOwner(files.db, 'owner', { after: null, limit: 2 });
    expect(first.map(({ name }) => name)).toEqual(['a', 'b']);
    const after = first.at(-1)?.key ?? null;
    const rest = await filesOfOwner(files.db, 'owner', { after, limit: 2 });
    expect(rest.map(({ name }) => name)).toEqual(['c']);
  });
});

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
    await (await files.store.openForAppend(unknown, 0)).close();
    await touch(files, unknown, 1);

    expect(await sweep(files, now)).toMatchObject({
      abandoned: { removed: 2, removedBytes: 3 },
      ...{ quarantined: 1, quarantinedBytes: 5 },
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

  test('is undone where the database knows the blob again', async () => {
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

  test('leaves nothing in a quarantine that the operator empties', async () => {
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
