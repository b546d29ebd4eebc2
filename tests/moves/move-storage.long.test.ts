import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openDiskStore } from '../../server/adapters/storage/disk-store.ts';
import { type Bucket, createS3Client } from '../../server/adapters/storage/s3-client.ts';
import { useFileStores } from '../../server/files/file-stores.test.support.ts';
import { readInstallationId } from '../../server/ground/database/installation.ts';
import { MOVES, matchStorage } from '../../server/running/installation/match-installation.ts';
import { copyStorage, finishMove } from '../../server/running/installation/move-storage.ts';
import { announceUpload, sellFile, sendBytes, signUp, storageUrl } from '../factories/factories.ts';
import { listBlobs } from '../factories/stored-files.ts';
import type { Person } from '../harness/person.ts';
import { runCli } from '../harness/run-command.ts';
import { createBucket, needS3, s3Settings } from '../harness/s3.ts';
import { type App, startApp } from '../harness/start-app.ts';

describe('moving the files', () => {
  needS3();
  let app: App;
  let bucket: Bucket;
  let seller: Person;
  const sold: Awaited<ReturnType<typeof sellFile>>[] = [];

  beforeAll(async () => {
    const created = await createBucket();
    if (!created) return;
    bucket = created;
    app = await startApp();
    seller = await signUp(app);
    sold.push(await sellFile(seller, { name: 'small.txt', size: 10 }));
    sold.push(await sellFile(seller, { name: 'large.bin', size: 6 * 1024 ** 2 }));
  });
  afterAll(() => app?.stop());

  const move = (...words: string[]) =>
    runCli({ ...app.env, ...s3Settings(bucket) }, 'storage', 'move', '--to', ...words);

  /** Changes a byte of a stored file. @returns puts it right again */
  async function damageOne(): Promise<() => void> {
    const [blob = ''] = await listBlobs(app.dataDir);
    const path = join(app.dataDir, 'blobs', blob);
    const bytes = readFileSync(path);
    writeFileSync(path, Buffer.concat([Buffer.of((bytes[0] ?? 0) ^ 1), bytes.subarray(1)]));
    return () => writeFileSync(path, bytes);
  }

  async function expectAllDelivered(): Promise<void> {
    for (const { key, bytes } of sold) {
      const answer = await fetch(await storageUrl(seller, key ?? ''));
      expect(Buffer.from(bytes).equals(await answer.bytes())).toBe(true);
    }
  }

  test('goes to S3 while the product runs, is finished when it has stopped, and goes back', async () => {
    expect((await move('s3', '--remove-source')).stderr).toMatch(/have not been moved/);
    const mend = await damageOne();
    expect(await move('s3')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^The blob \w+ is damaged in .*, and so is its copy\.\n$/),
    });
    mend();
    expect(await move('s3')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/Copied to the bucket \w+: 1 files, .* before: 1\./),
    });
    await expectAllDelivered();
    sold.push(await sellFile(seller, { name: 'later.txt', size: 20 }));
    const half = await announceUpload(seller, { name: 'half.bin', size: 9 });
    await sendBytes(seller, half.headers.get('location') ?? '', new Uint8Array(4));
    await app.pause();
    const env = { ...app.env };
    Object.assign(app.env, s3Settings(bucket));
    await expect(app.restart()).rejects.toThrow(/no longer this installation’s, or not yet/);
    await app.pause();

    expect(await move('s3', '--finish')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/1 files, 20 bytes\. Copied before: 2\.\nThe files are moved/),
    });
    await app.restart();
    await expectAllDelivered();
    expect((await listBlobs(app.dataDir)).length).toBe(4);
    expect(await move('s3', '--remove-source')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/4 files\. Kept without a copy: 0\./),
    });
    expect(await listBlobs(app.dataDir)).toEqual([]);
    await expectAllDelivered();

    sold.push(await sellFile(seller, { name: 'in-s3.txt', size: 30 }));
    await app.pause();
    expect((await move('disk', '--finish')).status).toBe(0);
    for (const name of Object.keys(s3Settings(bucket))) delete app.env[name];
    expect(app.env).toEqual(env);
    await app.restart();
    await expectAllDelivered();
    expect((await move('disk', '--remove-source')).status).toBe(0);
    await expectAllDelivered();
    const { body } = await createS3Client(bucket).ask({
      method: 'GET',
      query: { prefix: 'blobs/' },
    });
    expect(String(body)).not.toContain('<Contents>');
  });

  test('is refused for what is not there, belongs elsewhere or runs', async () => {
    expect((await runCli(app.env, 'storage', 'move', '--to', 's3')).stderr).toMatch(/S3_BUCKET/);
    expect((await move('tape')).status).toBe(2);
    await createS3Client(bucket).ask({
      method: 'PUT',
      key: 'installation',
      body: Buffer.from('another'),
    });
    expect((await move('s3')).stderr).toMatch(/files of another installation in the bucket/);
    expect((await move('disk')).stderr).toMatch(/do not belong to this database/);
  });
});

describe('a move that is killed while it is finished', () => {
  const files = useFileStores();

  test('can be finished by the same command, and leaves no two places in use', async () => {
    const { db, store } = files;
    await matchStorage(db, store, { kind: 'sqlite', file: 'padlink.sqlite' });
    const id = await readInstallationId(db);
    let from = store;
    for (const killed of ['from', 'to'] as const) {
      const folder = mkdtempSync(join(tmpdir(), 'padlink-move-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const stores = { from, to: await openDiskStore(folder) };
      const owners = () => Promise.all([stores.from.readOwner(), stores.to.readOwner()]);
      const copy = () => copyStorage({ db, ...stores }, () => {});
      await copy();
      const writeOwner = () => Promise.reject(new Error('killed'));
      const broken = { ...stores, [killed]: { ...stores[killed], writeOwner } };
      await expect(finishMove({ db, ...broken })).rejects.toThrow('killed');
      expect((await owners()).filter((owner) => owner === id).length).toBeLessThan(2);
      await copy();
      await finishMove({ db, ...stores });
      expect(await owners()).toEqual([MOVES.moved(id), id]);
      from = stores.to;
    }
  });
});
