import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../tests/harness/eventually.ts';
import {
  describeOnBothDatabases,
  describeOnSqliteFirst,
} from '../../tests/harness/on-both-databases.ts';
import { deleteFile } from '../delivery/downloads/delete-file.ts';
import { DomainError } from '../ground/lib/domain-error.ts';
import { readmitUpload } from './admit-upload.ts';
import {
  abandonUpload,
  abandonWhenFull,
  appendToUpload,
  finishUpload,
} from './append-to-upload.ts';
import { type FileStore, requireWhole } from './file-store.ts';
import {
  append,
  BOUNDS,
  batches,
  finished,
  openFileStores,
  rowsAndBlobs,
  start,
  useFileStores,
} from './file-stores.test.support.ts';
import { filesOfOwner, findFinishedFile, findUpload } from './queries.ts';
import { startUpload } from './start-upload.ts';
import { sweepAbandonedUploads } from './sweep.ts';
import { recordNeeded, recordUnneeded } from './unneeded-blobs.ts';

const LIMIT = BOUNDS.maxFileBytes;
const DAY = 24 * 60 * 60 * 1000;

describeOnSqliteFirst('an upload', (database) => {
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

  test('has its folders in its key, which it shares with no other', async () => {
    const linkId = '0000000c';
    const paths = ['track1/mix.txt', 'track2/mix.txt', 'track1', 'Track1/mix.txt', '.htaccess'];
    const largest = [`${'a/'.repeat(16)}b.txt`, `${'a'.repeat(255)}/${'b'.repeat(254)}/c`];
    for (const fileName of [...paths, ...largest]) {
      const { key, name } = await start(files, { ownerId: 'folders', linkId, fileName });
      expect({ key, name }).toEqual({ key: `public/${linkId}-${fileName}`, name: fileName });
    }
    const again = start(files, { ownerId: 'folders', linkId, fileName: './track1//mix.txt' });
    await expect(again).rejects.toMatchObject({ code: 'KEY_TAKEN' });
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
    [{ fileName: `${'é'.repeat(100)}/`.repeat(3) }, 'INVALID_INPUT', 'at most 512 bytes long'],
    [{ fileName: `${'a/'.repeat(17)}b.txt` }, 'INVALID_INPUT', '16 folders deep'],
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
    const append = appendToUpload(files, upload, 0, broken());
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
      async openForAppend(...where: Parameters<FileStore['openForAppend']>) {
        const writer = await files.store.openForAppend(...where);
        return { ...writer, write: () => Promise.reject(full) };
      },
    };
    const refused = abandonWhenFull({ ...files, store }, upload.blob, () =>
      appendToUpload({ ...files, store }, upload, 0, batches('hel')),
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
      appendToUpload({ ...files, store }, upload, 0, bytes(20)),
    );
    await expect(refused).rejects.toMatchObject({
      code: 'STORAGE_FULL',
      message:
        'The server does not have enough space for the rest of this file. Please continue the upload later.',
    });
    expect(await store.sizeOf(upload.blob)).toBe(8 * MEBIBYTE);
    free = 5 * MEBIBYTE + 12 * MEBIBYTE;
    expect(await appendToUpload({ ...files, store }, upload, 8 * MEBIBYTE, bytes(1))).toBe(
      9 * MEBIBYTE,
    );
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

describeOnSqliteFirst('a disk with room for one upload', (database) => {
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
    await appendToUpload(files, running, 0, half());
    await expect(begin(2)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    const beside = await begin(1);
    await abandonUpload(files, running.blob);
    await expect(begin(5)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    await begin(4);
    expect((await rowsAndBlobs(files)).rows).toContain(beside.blob);
  });
});

test('a store without an end is asked for none of the open uploads', async () => {
  const files = await openFileStores();
  onTestFinished(files.close);
  const asked: string[] = [];
  const store = {
    ...files.store,
    measureSpace: async () => ({ free: Number.POSITIVE_INFINITY, total: Number.POSITIVE_INFINITY }),
    async sizeOf(blob: string) {
      asked.push(blob);
      return null;
    },
  };
  await start({ ...files, store });
  await start({ ...files, store });
  expect(asked).toEqual([]);
});

describeOnSqliteFirst('an upload that stands still', (database) => {
  const files = useFileStores(database);
  // Long after whatever these tests do, however slow the machine is.
  const later = Date.now() + 60 * 60 * 1000;
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

  /** @returns what lets them go on, once several wait at what they may do one at a time */
  const holdUploads = async () => {
    const held = await files.db.startTransaction().execute();
    await sql`lock table file in share mode`.execute(held);
    const waiting = sql`select pid from pg_locks where not granted
      and database = (select oid from pg_database where datname = current_database())`;
    return async () => {
      await eventually(async () =>
        expect((await waiting.execute(held)).rows.length).toBeGreaterThan(3),
      );
      await held.commit().execute();
    };
  };

  test('lets as many of 50 parallel uploads begin as fit, and says to the others how much is used', async () => {
    for (let uploads = 0; uploads < 8; uploads += 1) await begin('ada');
    const letGo = database === 'postgres' ? await holdUploads() : () => {};
    const asked = Promise.allSettled(Array.from({ length: 50 }, () => begin('ada')));
    await letGo();
    const answers = await asked;
    const refusals = answers.flatMap((answer) =>
      answer.status === 'rejected' ? [answer.reason] : [],
    );
    expect(answers.length - refusals.length).toBe(2);
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
    for (let count = 0; count < 100; count += 1) await begin('dan', 1);
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

describeOnSqliteFirst('a link id that nothing came of', (database) => {
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

describeOnSqliteFirst('the files of an owner', (database) => {
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
