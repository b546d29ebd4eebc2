import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../tests/harness/eventually.ts';
import { createBucket, needS3 } from '../../../tests/harness/s3.ts';
import { type FileStores, useFileStores } from '../../files/file-stores.test.support.ts';
import { readBlob } from '../../files/read-blob.ts';
import { openStore } from './open-store.ts';
import { type Bucket, createS3Client } from './s3-client.ts';

const MEBIBYTE = 1024 ** 2;

const newBlob = () => randomBytes(16).toString('hex');

/** Holds a part back until it resolves: with the status that the part is refused by, or nothing. */
type Guard = (part: number) => Promise<number | undefined>;

async function openPlain(files: FileStores, { direct }: { direct: boolean }) {
  const bucket = (await createBucket()) ?? expect.unreachable();
  const s3 = { ...bucket, direct };
  return { bucket, store: await openStore({ ...files, s3, db: () => files.db, now: Date.now }) };
}

const listUploads = async (bucket: Bucket) =>
  String((await createS3Client(bucket).ask({ method: 'GET', query: { uploads: '' } })).body);

/** A store, and a guard before it that its parts have to pass. */
async function openGuarded(files: FileStores, guard: Guard) {
  const bucket = (await createBucket()) ?? expect.unreachable();
  const { hostname, port } = new URL(bucket.endpoint);
  const stored: number[] = [];
  const server = createServer(async (asked, answer) => {
    const { method, url: path = '', headers } = asked;
    const part = Number(new URL(path, bucket.endpoint).searchParams.get('partNumber'));
    const refused = part > 0 ? await guard(part) : undefined;
    if (refused) {
      await buffer(asked);
      return answer.writeHead(refused).end();
    }
    const passed = request({ hostname, port, method, path, headers });
    // Swift ends an answer without a body by a chunk that does not belong there.
    passed.on('error', () => {});
    asked.pipe(passed);
    const [said] = (await once(passed, 'response')) as [IncomingMessage];
    answer.writeHead(said.statusCode ?? 0, said.headers);
    said.pipe(answer).on('finish', () => stored.push(part));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const s3 = { ...bucket, endpoint, direct: false };
  const store = await openStore({ ...files, s3, db: () => files.db, now: Date.now });
  return { bucket, store, stored };
}

describe('an upload to S3, in parts', () => {
  needS3();
  const files = useFileStores();

  test('goes on behind a part that fails, whatever was stored after it', async () => {
    let fails = true;
    const { bucket, store, stored } = await openGuarded(files, async (part) => {
      if (part !== 2 || !fails) return undefined;
      await eventually(() => expect(stored).toContain(3));
      return 403;
    });
    const blob = newBlob();
    const bytes = randomBytes(20 * MEBIBYTE);
    const writer = await store.openForAppend(blob, 0, bytes.length);
    // Of the fourth part, only the beginning.
    await writer.write([bytes.subarray(0, 16 * MEBIBYTE)]).catch(() => {});
    await expect(writer.close()).rejects.toThrow('403');
    const listed = await createS3Client(bucket).ask({ method: 'GET', query: { prefix: 'tails/' } });
    expect(String(listed.body)).not.toContain(blob);
    expect(await store.sizeOf(blob)).toBe(5 * MEBIBYTE);
    fails = false;
    const next = await store.openForAppend(blob, 5 * MEBIBYTE, bytes.length);
    await next.write([bytes.subarray(5 * MEBIBYTE)]);
    await next.close();
    await store.makeDurable(blob);
    expect((await readBlob(store, blob))?.equals(bytes)).toBe(true);
  });

  test('may take over the memory of another, and no two of them the same', async () => {
    const { store } = await openPlain(files, { direct: false });
    const bytes = 12 * MEBIBYTE;
    const open = async () => {
      const [blob, sent] = [newBlob(), randomBytes(bytes)];
      return { blob, sent, writer: await store.openForAppend(blob, 0, bytes) };
    };
    const first = await open();
    await first.writer.write([first.sent]);
    await first.writer.close();
    const pair = [await open(), await open()];
    for (let at = 0; at < bytes; at += MEBIBYTE) {
      for (const { sent, writer } of pair) await writer.write([sent.subarray(at, at + MEBIBYTE)]);
    }
    for (const { blob, sent, writer } of [first, ...pair]) {
      if (blob !== first.blob) await writer.close();
      await store.makeDurable(blob);
      expect((await readBlob(store, blob))?.equals(sent)).toBe(true);
    }
  });

  test('asks nothing of the store where nothing is missing', async () => {
    const { bucket, store } = await openPlain(files, { direct: false });
    const [blob, bytes] = [newBlob(), randomBytes(6 * MEBIBYTE)];
    for (const offset of [0, bytes.length]) {
      const writer = await store.openForAppend(blob, offset, bytes.length);
      await writer.write([bytes.subarray(offset)]);
      await writer.close();
      await store.makeDurable(blob);
    }
    expect((await readBlob(store, blob))?.equals(bytes)).toBe(true);
    expect(await listUploads(bucket)).not.toContain('<UploadId>');
    expect(await files.db.selectFrom('multipart_upload').select('blob').execute()).toEqual([]);
  });

  test('is one upload at the store, however many of its parts are signed at once', async () => {
    const { bucket, store } = await openPlain(files, { direct: true });
    const [blob, sha256] = [newBlob(), 'UNSIGNED-PAYLOAD'];
    const sign = (number: number) =>
      store.direct?.signPart(blob, 20 * MEBIBYTE, { number, sha256 }) ?? expect.unreachable();
    const signed = await Promise.all([1, 2, 3].map(sign));
    const named = signed.map((part) => new URL(part?.url ?? '').searchParams.get('uploadId'));
    const [id] = named;
    expect(named).toEqual([id, id, id]);
    expect((await listUploads(bucket)).match(/<UploadId>/g)).toHaveLength(1);
  });

  test('has few of them under way, and many uploads have bounded memory', async () => {
    let held = 0;
    let gate = Promise.withResolvers<void>();
    const { store } = await openGuarded(files, async () => {
      held += 1;
      await gate.promise;
      return undefined;
    });

    /** Writes a MiB after the other. */
    function upload(mebibytes: number) {
      const state = { written: 0, ended: Promise.resolve() };
      const write = async () => {
        const writer = await store.openForAppend(newBlob(), 0, mebibytes * MEBIBYTE);
        for (; state.written < mebibytes; state.written += 1) {
          await writer.write([Buffer.alloc(MEBIBYTE)]);
        }
        await writer.close();
      };
      state.ended = write();
      return state;
    }
    const expectWritten = (uploads: { written: number }[], ...mebibytes: number[]) =>
      eventually(() => expect(uploads.map(({ written }) => written)).toEqual(mebibytes));

    // Two parts under way, and a third that fills up.
    const uploads = [upload(15), upload(15), upload(15)];
    await expectWritten(uploads, 14, 14, 14);
    // No memory is left but that for one part.
    uploads.push(upload(6));
    await expectWritten(uploads, 14, 14, 14, 5);
    await eventually(() => expect(held).toBe(7));
    // Meanwhile the store was asked, and nothing else was sent.
    expect(await store.sizeOf(newBlob())).toBeNull();
    await expectWritten(uploads, 14, 14, 14, 5);
    gate.resolve();
    await Promise.all(uploads.map(({ ended }) => ended));

    gate = Promise.withResolvers();
    const later = [upload(15)];
    await expectWritten(later, 14);
    gate.resolve();
    await later[0]?.ended;
  });
});
