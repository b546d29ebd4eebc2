import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBucket, needS3 } from '../../../tests/harness/s3.ts';
import type { FileStore } from '../../files/file-store.ts';
import { openFileStores, useFileStores } from '../../files/file-stores.test.support.ts';
import { openStore } from './open-store.ts';
import { createS3Client } from './s3-client.ts';

const NO_BLOB = 'f'.repeat(32);
const MEBIBYTE = 1024 ** 2;

// The same for every place where files are kept.
describe.each(['disk', 's3'] as const)('a store on %s', (kind) => {
  if (kind === 's3') needS3();
  let store: FileStore;
  /** As after a restart. */
  let reopen: () => Promise<FileStore>;
  let close = async () => {};

  beforeAll(async () => {
    const files = await openFileStores();
    close = files.close;
    const bucket = kind === 's3' ? await createBucket() : null;
    const s3 = bucket && { ...bucket, direct: true };
    reopen = () =>
      openStore({ dataDir: files.dataDir, s3, db: () => files.db, now: () => Date.now() });
    store = await reopen();
  });
  afterAll(() => close());

  const newBlob = () => randomBytes(16).toString('hex');

  async function write(blob: string, offset: number, size: number, ...chunks: Uint8Array[]) {
    const writer = await store.openForAppend(blob, offset, size);
    await writer.write(chunks);
    await writer.close();
  }

  async function stored(...texts: string[]): Promise<string> {
    const blob = newBlob();
    const chunks = texts.map((text) => Buffer.from(text));
    await write(blob, 0, Buffer.concat(chunks).length, ...chunks);
    await store.makeDurable(blob);
    return blob;
  }

  async function read(blob: string, position: number, length: number): Promise<Buffer> {
    const reader = await store.openForReading(blob);
    const buffer = Buffer.alloc(length);
    let end = 0;
    for (let got = -1; got !== 0 && end < length; end += got) {
      got = await reader.read(buffer.subarray(end), length - end, position + end);
    }
    await reader.close();
    return buffer.subarray(0, end);
  }
  const text = async (...what: Parameters<typeof read>) => String(await read(...what));

  async function list(names: AsyncIterable<string>): Promise<string[]> {
    const found = [];
    for await (const name of names) found.push(name);
    return found.sort();
  }

  test('reads any part of a blob, in any order', async () => {
    const blob = await stored('hel', 'lo', ' world');
    expect(await store.sizeOf(blob)).toBe(11);
    expect(await text(blob, 6, 5)).toBe('world');
    expect(await text(blob, 9, 5)).toBe('ld');
    expect(await text(blob, 11, 5)).toBe('');
    const reader = await store.openForReading(blob);
    const [first, second] = [Buffer.alloc(3), Buffer.alloc(3)];
    await reader.read(first, 3, 8);
    await reader.read(second, 3, 0);
    await reader.close();
    expect(`${first} ${second}`).toBe('rld hel');
  });

  test('continues a blob after a restart wherever it was left', async () => {
    const blob = newBlob();
    const bytes = randomBytes(11 * MEBIBYTE);
    const cuts = [0, 3, 5, 4 * MEBIBYTE, 5 * MEBIBYTE, 10 * MEBIBYTE + 7, bytes.length];
    for (const [index, end] of cuts.entries()) {
      const begin = cuts[index - 1] ?? 0;
      await write(blob, begin, bytes.length, bytes.subarray(begin, end));
      store = await reopen();
      expect(await store.sizeOf(blob)).toBe(end === 0 && kind === 's3' ? 0 : end);
    }
    await store.makeDurable(blob);
    await store.makeDurable(blob);
    expect(await store.sizeOf(blob)).toBe(bytes.length);
    const hash = (of: Uint8Array) => createHash('sha256').update(of).digest('hex');
    expect(hash(await read(blob, 0, bytes.length + 1))).toBe(hash(bytes));
    expect(await text(blob, 5 * MEBIBYTE - 1, 2)).toBe(
      String(bytes.subarray(5 * MEBIBYTE - 1, 5 * MEBIBYTE + 1)),
    );
  });

  test.each([1, 5 * MEBIBYTE, 10 * MEBIBYTE])(
    'keeps a blob of %i bytes whole',
    { tags: 'long' },
    async (size) => {
      const blob = newBlob();
      const bytes = randomBytes(size);
      await write(blob, 0, size, bytes.subarray(0, 1), bytes.subarray(1));
      await store.makeDurable(blob);
      expect((await read(blob, 0, size)).equals(bytes)).toBe(true);
    },
  );

  test('knows when a blob last changed', { tags: 'long' }, async () => {
    const since = Date.now() - 2_000;
    const blob = await stored('now');
    expect(await store.changedAt(blob)).toBeGreaterThan(since);
    expect(await store.changedAt(NO_BLOB)).toBeNull();
  });

  test('removes, also what is not there and what is not whole', { tags: 'long' }, async () => {
    const [whole, half] = [await stored('x'), newBlob()];
    await write(half, 0, 20 * MEBIBYTE, Buffer.alloc(6 * MEBIBYTE));
    for (const blob of [whole, half]) {
      await store.remove(blob);
      await store.remove(blob);
      expect(await store.sizeOf(blob)).toBeNull();
    }
  });

  test('fails to read or to make durable what is not there', async () => {
    await expect(store.openForReading(NO_BLOB)).rejects.toThrow('ENOENT');
    await expect(store.makeDurable(NO_BLOB)).rejects.toThrow('ENOENT');
  });

  test.each(['', '..', '../padlink.sqlite', 'A'.repeat(32), `${NO_BLOB}/x`, `${NO_BLOB}\n`])(
    'takes no other name for a blob: %j',
    async (name) => {
      const uses = [
        () => store.openForAppend(name, 0, 1),
        () => store.openForReading(name),
        () => store.makeDurable(name),
        () => store.sizeOf(name),
        () => store.remove(name),
        () => store.changedAt(name),
        () => store.quarantine(name),
        () => store.release(name),
        () => store.removeQuarantined(name),
      ];
      for (const use of uses) await expect(use()).rejects.toThrow('Not the name of a blob');
    },
  );

  test('keeps apart what is in quarantine, and puts it back', async () => {
    const [kept, blob] = [await stored('kept'), await stored('apart')];
    expect(await store.quarantine(blob)).toBe(5);
    expect(await list(store.listQuarantined())).toEqual([blob]);
    const listed = await list(store.list());
    expect(listed).toContain(kept);
    expect(listed).not.toContain(blob);
    await store.release(blob);
    expect(await text(blob, 0, 5)).toBe('apart');
    expect(await list(store.list())).toContain(blob);
    await store.quarantine(blob);
    expect(await store.removeQuarantined(blob)).toBe(5);
    expect(await store.removeQuarantined(blob)).toBe(0);
    expect(await store.quarantine(blob)).toBe(0);
    expect(await list(store.listQuarantined())).toEqual([]);
    expect(await store.sizeOf(blob)).toBeNull();
  });

  test('counts no parts of another size, and completes no upload without all', async () => {
    const [blob, size] = [newBlob(), 11 * MEBIBYTE];
    await write(blob, 0, size, Buffer.alloc(5 * MEBIBYTE));
    const signed = await store.direct?.signPart(blob, size, { number: 2, sha256: 'a'.repeat(64) });
    expect(signed?.url.includes('partNumber=2')).toBe(kind === 's3' || undefined);
    expect(await store.sizeOf(blob)).toBe(5 * MEBIBYTE);
    if (kind === 's3') await expect(store.makeDurable(blob)).rejects.toThrow('Part 2');
  });

  test('carries the id of its installation', async () => {
    expect(await store.readOwner()).toBeNull();
    await store.writeOwner('one');
    await store.writeOwner('two');
    expect(await (await reopen()).readOwner()).toBe('two');
  });

  test('can be written to, has room, and says where it is', async () => {
    await store.probe();
    const { free, total } = await store.measureSpace();
    expect(free).toBeGreaterThan(0);
    expect(total).toBeGreaterThanOrEqual(free);
    expect(store.place).not.toBe('');
  });
});

describe('a store on s3', () => {
  needS3();

  test('refuses a part that is not what was signed', async () => {
    const client = createS3Client((await createBucket()) ?? expect.unreachable());
    const [sent, meant] = [Buffer.from('other bytes'), Buffer.from('bytes')];
    const md5 = createHash('md5').update(meant).digest('base64');
    const put = (body: Buffer) => client.ask({ method: 'PUT', key: 'blobs/one', body, md5 });
    await expect(put(sent)).rejects.toMatchObject({ code: 'BadDigest' });
    await put(meant);
  });
});

describe('a store on s3 that is killed while it removes a blob that is not whole', () => {
  needS3();
  const files = useFileStores();

  test('has no tail left once nothing is known of the blob', { tags: 'long' }, async () => {
    const bucket = (await createBucket()) ?? expect.unreachable();
    let { db } = files;
    const s3 = { ...bucket, direct: false };
    const store = await openStore({ ...files, s3, db: () => db, now: Date.now });
    const tails = async () =>
      String(
        (await createS3Client(bucket).ask({ method: 'GET', query: { prefix: 'tails/' } })).body,
      );
    const blob = randomBytes(16).toString('hex');
    const writer = await store.openForAppend(blob, 0, 11 * MEBIBYTE);
    await writer.write([Buffer.alloc(6 * MEBIBYTE)]);
    await writer.close();
    expect(await tails()).toContain(blob);
    db = files.db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (result.numAffectedRows) throw new Error('killed');
        return result;
      },
    });
    await expect(store.remove(blob)).rejects.toThrow('killed');
    expect(await tails()).not.toContain(blob);
  });
});
