import { spawn } from 'node:child_process';
import { chmodSync, readdirSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { announceUpload, sellFile, sendBytes, signUp, storageUrl } from '../factories/factories.ts';
import { createAim } from '../harness/aim.ts';
import { eventually } from '../harness/eventually.ts';
import { startFaultyLine } from '../harness/faulty-line.ts';
import { createPerson, type Person, postJson } from '../harness/person.ts';
import { createBucket, needS3, s3Settings } from '../harness/s3.ts';
import { spawnApp } from '../harness/spawn-app.ts';
import { startApp } from '../harness/start-app.ts';
import { createTestEnvironment } from '../harness/test-environment.ts';

const main = join(import.meta.dirname, '../..', 'server', 'main.mjs');
const bytes = new Uint8Array(1000).fill(7);
const unavailable = {
  status: 503,
  code: 'UNAVAILABLE',
  detail: expect.stringContaining('cannot use its storage at the moment. Nothing is lost'),
};

const answerOf = async (response: Response) => {
  if (response.ok) return { status: response.status };
  const { code, detail } = (await response.json()) as { code: string; detail: string };
  return { status: response.status, code, detail };
};

/** To root, no file is closed unless it gives up that right. */
const AS_OTHERS =
  process.getuid?.() === 0 ? 'setpriv --bounding-set=-dac_override,-dac_read_search' : '';

/** The product as a process with nobody's special rights, and so many open files at most. */
async function startLimited(files: number) {
  const { remove, ...app } = await createTestEnvironment({ env: { LOG_LEVEL: 'error' } });
  onTestFinished(remove);
  const command = `ulimit -n ${files}; exec ${AS_OTHERS} "${process.execPath}" "${main}"`;
  const child = spawn('sh', ['-c', command], {
    env: { PATH: process.env.PATH, ...app.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  await eventually(async () => {
    const { ok } = await fetch(`${app.origin}/readyz`);
    if (!ok) throw new Error(output);
  });
  return { ...app, output: () => output };
}

async function announce(seller: Person) {
  const announced = await announceUpload(seller, { name: 'a.bin', size: bytes.length });
  return announced.headers.get('location') ?? '';
}

async function offsetOf(seller: Person, location: string): Promise<number> {
  const asked = { method: 'HEAD', headers: { 'tus-resumable': '1.0.0' } };
  const { headers } = await seller.fetch(location, asked);
  return Number(headers.get('upload-offset') ?? Number.NaN);
}

test('a data folder of somebody else is said, with its remedy in the log, and nothing is lost', {
  tags: 'long',
}, async () => {
  const app = await startLimited(1024);
  const seller = await signUp(app);
  const { key, bytes: sold } = await sellFile(seller);
  const download = await storageUrl(seller, key ?? '');
  const location = await announce(seller);
  const blobs = join(app.dataDir, 'blobs');
  chmodSync(blobs, 0);
  expect(await answerOf(await sendBytes(seller, location, bytes))).toEqual(unavailable);
  expect(await answerOf(await seller.fetch(download))).toEqual(unavailable);
  await expect
    .poll(app.output)
    .toContain('the data folder must belong to the user that runs Padlink');
  chmodSync(blobs, 0o700);
  expect((await sendBytes(seller, location, bytes)).status).toBe(204);
  expect(new Uint8Array(await (await seller.fetch(download)).arrayBuffer())).toEqual(sold);
  expect(readdirSync(blobs).filter((name) => /^[0-9a-f]{32}$/.test(name))).toHaveLength(2);
});

test('a server whose open files are used up says so, and goes on once they are free', {
  tags: 'long',
}, async () => {
  const app = await startLimited(96);
  const seller = await signUp(app);
  const guests = Array.from({ length: 96 }, () => connect(app.port, '127.0.0.1'));
  onTestFinished(() => guests.forEach((guest) => void guest.destroy()));
  for (const guest of guests) guest.on('error', () => {});
  // The seller's connection is open already: it takes no other file.
  const location = await eventually(async () => {
    const refused = await announce(seller);
    expect(await answerOf(await sendBytes(seller, refused, bytes))).toEqual(unavailable);
    return refused;
  });
  await expect.poll(app.output).toContain('raise the limit of open files');
  for (const guest of guests) guest.destroy();
  // As a client resumes: some of it, or all, may have been stored already.
  await eventually(async () => {
    const offset = await offsetOf(seller, location);
    if (offset < bytes.length) await sendBytes(seller, location, bytes.slice(offset), offset);
    expect(offset).toBe(bytes.length);
  });
});

const FAILING = 'the disk fails: look into the log of the kernel';

test('a disk that fails is said, with its remedy in the log, and nothing is lost', async () => {
  const aim = createAim();
  const app = await spawnApp({ env: { LOG_LEVEL: 'error', ...aim.env } });
  onTestFinished(async () => void (await app.stop()));
  const seller = await signUp(app);
  const { key, bytes: sold } = await sellFile(seller);
  const download = await storageUrl(seller, key ?? '');
  const location = await announce(seller);
  const upload = () => sendBytes(seller, location, bytes);
  const faults: [call: string, ask: () => Promise<Response>][] = [
    ['write', upload],
    ['sync file', upload],
    ['sync folder', upload],
    ['update file', upload],
    ['insert file', () => announceUpload(seller, { name: 'b.bin', size: 1 })],
    ['read', () => seller.fetch(download)],
  ];
  for (const [index, [call, ask]] of faults.entries()) {
    aim.take({ call, nth: 1, moment: 'fails' });
    expect({ call, ...(await answerOf(await ask())) }).toEqual({ call, ...unavailable });
    aim.take(null);
    await eventually(() => expect(app.output().split(FAILING)).toHaveLength(index + 2));
    // What the disk took without keeping it comes again.
    if (call.startsWith('sync')) expect(await offsetOf(seller, location)).toBe(0);
  }
  // All of it was stored before the row could not be written.
  expect(await offsetOf(seller, location)).toBe(bytes.length);
  expect(new Uint8Array(await (await seller.fetch(download)).arrayBuffer())).toEqual(sold);
});

test('a file system that cannot flush a folder stores files all the same', async () => {
  const aim = createAim();
  aim.take({ call: 'sync folder', nth: 1, moment: 'fails', code: 'EINVAL' });
  const app = await spawnApp({ env: { LOG_LEVEL: 'error', ...aim.env } });
  onTestFinished(async () => void (await app.stop()));
  const seller = await signUp(app);
  const { key, bytes: sold } = await sellFile(seller);
  const stored = await seller.fetch(await storageUrl(seller, key ?? ''));
  expect(new Uint8Array(await stored.arrayBuffer())).toEqual(sold);
});

describe('files in S3', () => {
  needS3();

  test('that cannot be reached are said, with the remedy in the log, and nothing is lost', {
    tags: 'long',
  }, async () => {
    const bucket = await createBucket();
    if (!bucket) return;
    const { hostname, port } = new URL(bucket.endpoint);
    const line = await startFaultyLine({ host: hostname, port: Number(port) });
    const endpoint = `http://127.0.0.1:${line.port}`;
    const env = s3Settings({ ...bucket, endpoint });
    const app = await spawnApp({ env: { LOG_LEVEL: 'error', S3_DELIVERY: 'proxy', ...env } });
    onTestFinished(async () => {
      await app.stop();
      line.stop();
    });
    const seller = await signUp(app);
    const { key, bytes: sold } = await sellFile(seller);
    const download = await storageUrl(seller, key ?? '');
    const location = await announce(seller);
    line.become('is dead');
    const answers = await Promise.all([
      sendBytes(seller, location, bytes).then(answerOf),
      seller.fetch(download).then(answerOf),
    ]);
    expect(answers).toEqual([unavailable, unavailable]);
    await eventually(() => expect(app.output()).toContain('look at its state, and at the S3_'));
    line.become('passes');
    expect((await sendBytes(seller, location, bytes)).status).toBe(204);
    expect(new Uint8Array(await (await seller.fetch(download)).arrayBuffer())).toEqual(sold);
  });
});

test('a disk that refuses to flush a change leaves it uncertain, takes no other, and the rest goes on', async () => {
  const app = await startApp();
  onTestFinished(() => app.stop());
  const seller = await signUp(app);
  const { id } = await sellFile(seller);
  const beside = new DatabaseSync(join(app.dataDir, 'padlink.sqlite'), { readOnly: true });
  const sessions = beside.prepare('select 1 from payment');
  const file = await open(main);
  const handles: FileHandle = Object.getPrototypeOf(file);
  await file.close();
  const { datasync } = handles;
  vi.spyOn(handles, 'datasync').mockImplementation(function (this: FileHandle) {
    return sessions.get() ? Promise.reject(new Error('EIO')) : datasync.call(this);
  });
  onTestFinished(() => {
    vi.restoreAllMocks();
    beside.close();
  });
  const begin = (buyer: Person) => postJson(buyer, '/prod/checkout', { paywallId: id });
  // The provider has opened its session by then, and is not at fault.
  const uncertain = await begin(createPerson(app));
  expect(uncertain.headers.get('retry-after')).toBeNull();
  expect(await answerOf(uncertain)).toEqual({
    ...unavailable,
    detail: expect.stringContaining('not certain that your change was kept'),
  });
  expect(await answerOf(await begin(createPerson(app)))).toEqual(unavailable);
  expect((await fetch(`${app.origin}/p/${id}`)).status).toBe(200);
  expect((await fetch(`${app.origin}/readyz`)).status).toBe(503);
  expect((await fetch(`${app.origin}/healthz`)).status).toBe(200);
});
