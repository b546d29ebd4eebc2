import { readdirSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import {
  announceUpload,
  createLink,
  sendBytes,
  signUp,
  storageUrl,
  uploadFile,
} from '../factories/factories.ts';
import { eventually } from '../harness/eventually.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';

const limit = 1024 * 1024;
const tus = { 'tus-resumable': '1.0.0' };

describeOnSqliteFirst('a refused upload', (database) => {
  const app = useApp({ database, env: { MAX_FILE_BYTES: String(limit) } });
  let seller: Person;

  beforeAll(async () => {
    seller = await signUp(app);
  });

  const storedFiles = () => readdirSync(app.dataDir, { recursive: true }).length;

  test('has 0 bytes', async () => {
    const answer = await announceUpload(seller, { name: 'empty.txt', size: 0 });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code: 'FILE_EMPTY',
      detail: 'This file is empty. Choose another file.',
    });
  });

  test('is larger than the limit, before any byte of it is read', async () => {
    const before = storedFiles();
    const answer = await announceUpload(seller, { name: 'large.bin', size: limit + 1 });
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({
      code: 'FILE_TOO_LARGE',
      detail: 'This file is larger than the maximum of 1.0 MB.',
    });
    expect(storedFiles()).toBe(before);
  });

  test('sends more than it announced', async () => {
    const announced = await announceUpload(seller, { name: 'liar.bin', size: 10 });
    const location = announced.headers.get('location') ?? '';
    const answer = await sendBytes(seller, location, Buffer.alloc(100));
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({
      code: 'FILE_TOO_LARGE',
      detail: 'The request carries more bytes than Upload-Length announced.',
    });
    const asked = await seller.fetch(location, { method: 'HEAD', headers: tus });
    expect([asked.status, asked.headers.get('upload-offset')]).toEqual([200, '0']);
    expect((await sendBytes(seller, location, Buffer.alloc(10))).status).toBe(204);
  });

  test('comes from nobody who is signed in', async () => {
    const answer = await announceUpload(createPerson(app), { name: 'a.txt', size: 1 });
    expect(answer.status).toBe(401);
  });

  test.each(['not-a-number', '-1', '1.5', undefined])('announces the length %s', async (length) => {
    const answer = await seller.fetch('/uploads', {
      method: 'POST',
      headers: { ...tus, ...(length && { 'upload-length': length }) },
    });
    expect(answer.status).toBe(400);
  });

  test.each(['ABCDEF01', 'short', '../../etc'])('wants the link id %j', async (id) => {
    const answer = await announceUpload(seller, { name: 'a.txt', size: 1, id });
    expect(answer.status).toBe(400);
  });

  test("wants a link id that is reserved for another creator's upload", async () => {
    const id = 'a1b2c3d4';
    await uploadFile(seller, { name: 'a.txt', bytes: Buffer.from('a'), id });
    const answer = await announceUpload(await signUp(app), { name: 'a.txt', size: 1, id });
    expect(answer.status).toBe(409);
  });

  test("continues another creator's upload", async () => {
    const announced = await announceUpload(seller, { name: 'a.txt', size: 3 });
    const location = announced.headers.get('location') ?? '';
    const other = await signUp(app);
    const answer = await sendBytes(other, location, Buffer.from('abc'));
    expect(answer.status).toBe(404);
    expect((await sendBytes(seller, location, Buffer.from('abc'))).status).toBe(204);
  });

  test('was broken off, and can be continued from where it stopped', async () => {
    const bytes = Buffer.from('the first half, the second half');
    const announced = await announceUpload(seller, { name: 'halves.txt', size: bytes.length });
    const location = announced.headers.get('location') ?? '';
    const blob = join(app.dataDir, 'blobs', location.slice('/uploads/'.length));
    const isStored = () => eventually(() => expect(statSync(blob).size).toBe(15));
    await breakOff(seller, location, bytes.subarray(0, 15), bytes.length, isStored);
    const asked = await seller.fetch(location, { method: 'HEAD', headers: tus });
    const offset = Number(asked.headers.get('upload-offset'));
    expect(offset).toBe(15);
    const rest = new Uint8Array(bytes.subarray(offset));
    expect((await sendBytes(seller, location, rest, offset)).status).toBe(204);
    const key = decodeURIComponent(announced.headers.get('upload-key') ?? '');
    await createLink(seller, { key });
    const download = await fetch(await storageUrl(seller, key));
    expect(Buffer.from(await download.arrayBuffer())).toEqual(bytes);
  });
});

/** Sends some bytes of a request that announces more, then breaks the connection. */
async function breakOff(
  person: Person,
  location: string,
  bytes: Buffer,
  length: number,
  isStored: () => Promise<unknown>,
) {
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const patch = request(new URL(location, person.origin), {
    method: 'PATCH',
    headers: {
      ...tus,
      cookie,
      origin: person.origin,
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
      'content-length': length,
    },
  });
  const closed = new Promise((resolve) => patch.on('close', resolve));
  patch.on('error', () => {});
  patch.write(bytes);
  await isStored();
  patch.destroy();
  await closed;
}
