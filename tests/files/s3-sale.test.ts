import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Bucket, SignedRequest } from '../../server/adapters/storage/s3-client.ts';
import {
  announceUpload,
  createLink,
  sellFile,
  sendBytes,
  signUp,
  uploadFile,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { runCli } from '../harness/run-command.ts';
import { createBucket, needS3, s3Settings } from '../harness/s3.ts';
import { type App, startApp } from '../harness/start-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const MEBIBYTE = 1024 ** 2;
const NAME = 'Étude "1" – 日本.pdf';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe.each(['direct', 'proxy'])('files in S3, delivered by %s', (delivery) => {
  needS3();
  let app: App;
  let bucket: Bucket;
  let seller: Person;

  beforeAll(async () => {
    const created = await createBucket();
    if (!created) return;
    bucket = created;
    app = await startApp({ env: { ...s3Settings(bucket), S3_DELIVERY: delivery } });
    seller = await signUp(app);
  });
  afterAll(() => app?.stop());

  const offsetOf = async (location: string) => {
    const answer = await seller.fetch(location, {
      method: 'HEAD',
      headers: { 'tus-resumable': '1.0.0' },
    });
    return Number(answer.headers.get('upload-offset'));
  };

  async function buy(id: string): Promise<string> {
    const buyer = createPerson(app);
    await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
    const answer = await buyer.fetch(`/p/${id}/content`);
    return new URL(answer.headers.get('location') ?? '', app.origin).href;
  }

  test('are sold, and arrive whole and in parts under their name', async () => {
    const { id, bytes } = await sellFile(seller, { name: NAME, size: 300_000 });
    const address = await buy(id);
    const answer = await fetch(address);
    expect(answer.url.startsWith(bucket.endpoint)).toBe(delivery === 'direct');
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="?tude \\"1\\" ? ??.pdf"; filename*=UTF-8''%C3%89tude%20%221%22%20%E2%80%93%20%E6%97%A5%E6%9C%AC.pdf`,
    );
    expect(answer.headers.get('content-type')).toBe('application/octet-stream');
    expect(sha256(await answer.bytes())).toBe(sha256(bytes));
    const part = await fetch(address, { headers: { range: 'bytes=1000-1999' } });
    expect(part.status).toBe(206);
    expect(await part.bytes()).toEqual(bytes.slice(1000, 2000));
    const head = await fetch(address, { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(String(bytes.length));
    const recorded = await withDatabase(app, (db) =>
      db.selectFrom('delivery').select(['outcome', 'bytes_sent']).execute(),
    );
    const sent = delivery === 'direct' ? 0 : 301_000;
    const outcome = delivery === 'direct' ? 'handed_over' : 'delivered';
    expect(recorded).toEqual([{ outcome, bytes_sent: sent }]);
  });

  test('go up in pieces through the server, across restarts', { tags: 'long' }, async () => {
    const bytes = new Uint8Array(randomBytes(6 * MEBIBYTE));
    const announced = await announceUpload(seller, { name: 'a.bin', size: bytes.length });
    const location = announced.headers.get('location') ?? '';
    expect(announced.headers.get('upload-parts')).toBe(
      delivery === 'direct' ? `${location}/parts` : null,
    );
    const cuts = [0, 1_000_000, 5.5 * MEBIBYTE, bytes.length];
    for (const [index, begin] of cuts.slice(0, -1).entries()) {
      expect(await offsetOf(location)).toBe(begin);
      await sendBytes(seller, location, bytes.slice(begin, cuts[index + 1]), begin);
      if (index === 0) await app.restart();
    }
    const key = decodeURIComponent(announced.headers.get('upload-key') ?? '');
    const { id } = await createLink(seller, { key });
    expect(sha256(await (await fetch(await buy(id))).bytes())).toBe(sha256(bytes));
  });
});

describe('an upload straight to S3', () => {
  needS3();
  let app: App;
  let bucket: Bucket;
  let seller: Person;
  const bytes = new Uint8Array(randomBytes(11 * MEBIBYTE));
  const parts = [0, 5, 10].map((begin) => bytes.slice(begin * MEBIBYTE, (begin + 5) * MEBIBYTE));

  beforeAll(async () => {
    const created = await createBucket();
    if (!created) return;
    bucket = created;
    app = await startApp({ env: { ...s3Settings(bucket), MAX_FILE_BYTES: String(20 * MEBIBYTE) } });
    seller = await signUp(app);
  });
  afterAll(() => app?.stop());

  const ask = (method: string, path: string, person = seller) =>
    person.fetch(path, { method, headers: { 'tus-resumable': '1.0.0' } });
  const sign = (location: string, number: number, sha: string) =>
    ask('POST', `${location}/parts/${number}?sha256=${sha}`);

  async function open(): Promise<{ location: string; key: string }> {
    const announced = await announceUpload(seller, { name: 'big.bin', size: bytes.length });
    const { headers } = announced;
    const key = decodeURIComponent(headers.get('upload-key') ?? '');
    return { location: headers.get('location') ?? '', key };
  }

  async function send(
    location: string,
    number: number,
    body: Uint8Array<ArrayBuffer>,
    signedFor = body,
  ) {
    const signed = (await (
      await sign(location, number, sha256(signedFor))
    ).json()) as SignedRequest;
    return fetch(signed.url, { method: 'PUT', headers: signed.headers, body });
  }

  test('arrives in parts of any order, is finished by HEAD and can be sold', async () => {
    const { location, key } = await open();
    for (const number of [3, 1]) {
      expect(
        (await send(location, number, parts[number - 1] as Uint8Array<ArrayBuffer>)).status,
      ).toBe(200);
    }
    const known = await (await ask('GET', `${location}/parts`)).json();
    expect(known).toEqual({ partBytes: 5 * MEBIBYTE, stored: [1, 3] });
    expect((await ask('HEAD', location)).headers.get('upload-offset')).toBe(String(5 * MEBIBYTE));
    await expect(createLink(seller, { key })).rejects.toThrow();
    await send(location, 2, parts[1] as Uint8Array<ArrayBuffer>);
    expect((await ask('HEAD', location)).headers.get('upload-offset')).toBe(String(bytes.length));
    const { id } = await createLink(seller, { key });
    const buyer = createPerson(app);
    await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
    const content = (await buyer.fetch(`/p/${id}/content`)).headers.get('location') ?? '';
    expect(sha256(await (await fetch(new URL(content, app.origin))).bytes())).toBe(sha256(bytes));
    expect((await sign(location, 1, sha256(bytes))).status).toBe(409);
  });

  test('takes no other bytes than were signed, no other length, no other part', async () => {
    const { location } = await open();
    const [part = bytes] = parts;
    const changed = part.slice();
    changed[7] = (changed[7] ?? 0) ^ 1;
    expect((await send(location, 1, changed, part)).ok).toBe(false);
    expect((await send(location, 1, part.slice(1))).ok).toBe(false);
    expect((await sign(location, 4, sha256(part))).status).toBe(400);
    expect((await sign(location, 0, sha256(part))).status).toBe(400);
    expect((await sign(location, 1, 'no hash')).status).toBe(400);
    expect(await (await ask('GET', `${location}/parts`)).json()).toMatchObject({ stored: [] });
  });

  test('has the hash of what the store holds, whatever else passed the server', async () => {
    const { location, key } = await open();
    await sendBytes(seller, location, bytes.slice(0, 10 * MEBIBYTE));
    const others = new Uint8Array(5 * MEBIBYTE).fill(7);
    expect((await send(location, 1, others)).status).toBe(200);
    await sendBytes(seller, location, bytes.slice(10 * MEBIBYTE), 10 * MEBIBYTE);
    const { sha256: known } = await withDatabase(app, (db) =>
      db.selectFrom('file').select('sha256').where('key', '=', key).executeTakeFirstOrThrow(),
    );
    expect(known).toBe(sha256(Buffer.concat([others, bytes.slice(5 * MEBIBYTE)])));
  });

  test('is opened within the limits, by its owner, and ends when it is canceled', async () => {
    const refused = await announceUpload(seller, { name: 'a', size: 21 * MEBIBYTE });
    expect(refused.status).toBe(413);
    const { location } = await open();
    const [part = bytes] = parts;
    const stranger = await signUp(app);
    expect((await ask('POST', `${location}/parts/1?sha256=${sha256(part)}`, stranger)).status).toBe(
      404,
    );
    expect((await ask('GET', `${location}/parts`, createPerson(app))).status).toBe(401);
    const signed = (await (await sign(location, 1, sha256(part))).json()) as SignedRequest;
    expect((await ask('DELETE', location)).status).toBe(204);
    const late = await fetch(signed.url, { method: 'PUT', headers: signed.headers, body: part });
    expect(late.status).toBe(404);
  });

  test('leaves an object that other programs for S3 read', { tags: 'long' }, async () => {
    const { key } = await uploadFile(seller, { name: 'plain.txt', bytes: Buffer.from('plain') });
    const { blob } = await withDatabase(app, (db) =>
      db.selectFrom('file').select('blob').where('key', '=', key).executeTakeFirstOrThrow(),
    );
    expect(await readWithS3cmd(bucket, `blobs/${blob}`, app.dataDir)).toBe('plain');
    const verified = await runCli(app.env, 'storage', 'verify');
    expect(verified).toMatchObject({ status: 0, stderr: '' });
    const settings = Object.values(s3Settings(bucket)).slice(3);
    const page = await (await seller.fetch('/upload')).text();
    for (const secret of settings) expect(page).not.toContain(secret);
  });
});

async function readWithS3cmd(bucket: Bucket, key: string, folder: string): Promise<string> {
  const { host } = new URL(bucket.endpoint);
  const [settings, target] = [join(folder, 's3cfg'), join(folder, 'fetched')];
  await writeFile(settings, '[default]\nuse_https = False\n');
  const options = ['-c', settings, `--host=${host}`, `--host-bucket=${host}`];
  const keys = [`--access_key=${bucket.accessKeyId}`, `--secret_key=${bucket.secretAccessKey}`];
  const line = [...options, ...keys, 'get', `s3://${bucket.bucket}/${key}`, target];
  await promisify(execFile)('s3cmd', line);
  return readFile(target, 'utf8');
}
