import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { describeOnSqliteFirst } from '../../tests/harness/on-both-databases.ts';
import { appendToUpload, finishUpload, UploadHashes } from './append-to-upload.ts';
import { type CheckContext, checkFile, checkOldFiles } from './check-file.ts';
import type { FileStore } from './file-store.ts';
import { append, finished, start, useFileStores } from './file-stores.test.support.ts';
import { findFinishedFile } from './queries.ts';

const MEBIBYTE = 1024 ** 2;
const sha256 = (...parts: (string | Buffer)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

describeOnSqliteFirst('the hash of a file', (database) => {
  const files = useFileStores(database);
  const jobs = () => files.db.selectFrom('job').select(['kind', 'payload']).execute();

  const check = (at: number): CheckContext => ({
    ...files,
    openScan: null,
    readFacts: async () => ({}),
    now: () => at,
  });

  async function* mebibytes(count: number, filled = 1) {
    for (let sent = 0; sent < count; sent += 1) yield [Buffer.alloc(MEBIBYTE, filled)];
  }

  test('is known when the last byte arrives, also after the line was cut', async () => {
    const upload = await start(files, { sizeBytes: 11 });
    await append(files, upload, 0, 'hello', ' ');
    await append(files, upload, 6, 'world');
    const file = await finishUpload({ ...files, now: () => 7 }, upload);
    const sums = { sha256: sha256('hello world'), crc32: 0x0d_4a_11_85 };
    expect(file).toMatchObject({ ...sums, checked_at: 7 });
    expect(await jobs()).toEqual([]);
  });

  test('is read back from a small file whose beginning went through another process', async () => {
    const upload = await start(files, { sizeBytes: 11 });
    await append(files, upload, 0, 'hello');
    const restarted = { ...files, hashes: new UploadHashes() };
    await append(restarted, upload, 5, ' world');
    for (const process of [files, restarted]) {
      await files.db.updateTable('file').set({ finished_at: null, sha256: null }).execute();
      const file = await finishUpload({ ...process, now: () => 7 }, upload);
      expect(file).toMatchObject({ sha256: sha256('hello world'), checked_at: 7 });
    }
  });

  test('is not that of bytes which were never stored', async () => {
    const upload = await start(files, { sizeBytes: 5 });
    const broken = {
      ...files,
      store: {
        ...files.store,
        async openForAppend(...args: Parameters<FileStore['openForAppend']>) {
          const writer = await files.store.openForAppend(...args);
          const write = async ([chunk = Buffer.alloc(0)]: Uint8Array[]) => {
            await writer.write([chunk.subarray(0, 2)]);
            throw new Error('EIO');
          };
          return { ...writer, write };
        },
      },
    };
    await expect(append(broken, upload, 0, 'heXXX')).rejects.toThrow('EIO');
    await append(files, upload, 2, 'llo');
    const file = await finishUpload({ ...files, now: () => 7 }, upload);
    expect(file.sha256).toBe(sha256('hello'));
  });

  test('of a large file whose beginning is not known is read by a job: until then it is pending', async () => {
    const upload = await start(files, { sizeBytes: 17 * MEBIBYTE });
    await appendToUpload(files, upload, 0, mebibytes(1));
    const restarted = { ...files, hashes: new UploadHashes() };
    await appendToUpload(restarted, upload, MEBIBYTE, mebibytes(16, 2));
    const pending = await finishUpload({ ...restarted, now: () => 7 }, upload);
    expect(pending).toMatchObject({ sha256: null, checked_at: null, finished_at: 7 });
    const { blob, key } = upload;
    expect(await jobs()).toEqual([{ kind: 'check-file', payload: JSON.stringify({ blob }) }]);
    await checkFile(check(9), blob);
    const expected = sha256(Buffer.alloc(MEBIBYTE, 1), Buffer.alloc(16 * MEBIBYTE, 2));
    const checked = { sha256: expected, checked_at: 9, finished_at: 7 };
    expect(await findFinishedFile(files.db, key)).toMatchObject(checked);
    await checkFile(check(10), blob);
    expect(await findFinishedFile(files.db, key)).toMatchObject(checked);
    await checkFile(check(10), 'f'.repeat(32));
  });

  test('of a file from before the upgrade is added, and a damaged one hinders no other', async () => {
    const old = [await finished(files), await finished(files), await finished(files)];
    const [damaged, ...whole] = old.sort((a, b) => (a.key < b.key ? -1 : 1));
    await files.db.updateTable('file').set({ sha256: null, checked_at: 2 }).execute();
    await files.store.remove(damaged?.blob ?? '');
    const faults: string[] = [];
    await checkOldFiles(check(9), (error, { key }) => faults.push(`${key}: ${error}`));
    expect(faults).toEqual([expect.stringContaining(`${damaged?.key}: Error: The blob`)]);
    for (const { key } of whole) {
      expect(await findFinishedFile(files.db, key)).toMatchObject({ sha256: sha256('hello') });
    }
    expect(await findFinishedFile(files.db, damaged?.key ?? '')).toMatchObject({ checked_at: 2 });
  });
});
