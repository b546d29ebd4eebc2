import { createHash, randomBytes } from 'node:crypto';
import { createS3Client, readTag } from '../../server/adapters/storage/s3-client.ts';
import { createLink, signUp, storageUrl } from '../../tests/factories/factories.ts';
import { eventually } from '../../tests/harness/eventually.ts';
import { createBucket, s3Settings } from '../../tests/harness/s3.ts';
import { type Contestant, compare } from '../compare.ts';
import { openFolder } from '../open-folder.ts';
import { receiveFile } from '../receive-file.ts';
import type { Row } from '../row.ts';
import { sendFile } from '../send-file.ts';
import { startPadlink } from '../start-padlink.ts';
import { uploadLarge } from '../upload-large.ts';

const MEBIBYTES = 128;
const PART_MEBIBYTES = 16;

/** A file up and down by a store that speaks S3, beside the store itself. */
export async function s3(): Promise<Row[]> {
  const bucket = await createBucket();
  if (!bucket) {
    console.log('There is no OpenStack Swift on this machine: files in S3 are not measured.');
    return [];
  }
  const settings = s3Settings(bucket);
  const store = createS3Client(bucket);
  using folder = openFolder();
  const signed = (method: 'GET' | 'PUT', key: string) =>
    store.sign({ method, key }, { length: MEBIBYTES * 1024 ** 2, sha256: 'UNSIGNED-PAYLOAD' });
  const rest = { unit: 'MiB/s', against: 'the store itself' } as const;
  const plain = (blob: string): Contestant => ({
    pid: null,
    work() {
      const { url, headers } = signed('GET', blob);
      return receiveFile(url, headers);
    },
  });

  async function measureDirect() {
    await using padlink = await startPadlink(folder.path, settings);
    const seller = await signUp(padlink);
    let address = '';
    const findObject = async () => {
      const { status, headers } = await fetch(address, { redirect: 'manual' });
      const found = headers.get('location');
      if (!found) throw new Error(`${address} answered ${status}`);
      return found;
    };
    let key = '';
    const through: Contestant = {
      pid: null,
      async work() {
        key = await uploadLarge(seller, MEBIBYTES);
        return MEBIBYTES;
      },
      // Pending until it has been read back.
      async rest() {
        await createLink(seller, { key });
        address = await storageUrl(seller, key);
        await eventually(findObject);
      },
    };
    const upload = await compare(through, {
      pid: null,
      work() {
        const { url, headers } = signed('PUT', randomBytes(8).toString('hex'));
        return sendFile(url, { method: 'PUT', headers }, MEBIBYTES);
      },
    });
    const inParts = await compare(through, {
      pid: null,
      work: () => sendInParts(store, randomBytes(8).toString('hex')),
    });
    const { pathname: place } = new URL(await findObject());
    const blob = place.split('/').slice(2).join('/');
    const led: Contestant = { pid: null, work: async () => receiveFile(await findObject()) };
    const { pathname } = new URL(address);
    return { upload, inParts, led: await compare(led, plain(blob)), blob, path: pathname };
  }

  const { upload, inParts, led, blob, path } = await measureDirect();
  await using proxy = await startPadlink(folder.path, {
    ...settings,
    S3_DELIVERY: 'proxy',
  });
  const through: Contestant = { pid: null, work: () => receiveFile(proxy.origin + path) };
  const proxied = await compare(through, plain(blob));
  return [
    { name: `Upload of ${MEBIBYTES} MiB through Padlink to S3`, ...rest, target: 0.5, ...upload },
    {
      name: `Upload of ${MEBIBYTES} MiB through Padlink to S3, beside the same parts`,
      ...rest,
      target: 0.5,
      ...inParts,
    },
    { name: `Download of ${MEBIBYTES} MiB, led to S3`, ...rest, target: 0.9, ...led },
    { name: `Download of ${MEBIBYTES} MiB from S3 by proxy`, ...rest, target: 0.5, ...proxied },
  ];
}

/**
 * The same file from a client that has it in memory, as S3 wants large ones: in signed parts, two at a
 * time. @returns MiB
 */
async function sendInParts(store: ReturnType<typeof createS3Client>, key: string): Promise<number> {
  const begun = await store.ask({ method: 'POST', key, query: { uploads: '' } });
  const uploadId = readTag(String(begun.body), 'UploadId') ?? '';
  const part = randomBytes(PART_MEBIBYTES * 1024 ** 2);
  const md5 = () => createHash('md5').update(part).digest('base64');
  const count = MEBIBYTES / PART_MEBIBYTES;
  const etags: string[] = [];
  let next = 0;
  async function sendOthers(): Promise<void> {
    while (next < count) {
      next += 1;
      const number = next;
      const query = { partNumber: String(number), uploadId };
      const { headers } = await store.ask({ method: 'PUT', key, query, body: part, md5: md5() });
      etags[number - 1] = `${headers.etag}`;
    }
  }
  await Promise.all([sendOthers(), sendOthers()]);
  const parts = etags.map(
    (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`,
  );
  await store.ask({
    method: 'POST',
    key,
    query: { uploadId },
    headers: { 'content-type': 'application/xml' },
    body: Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`),
  });
  return MEBIBYTES;
}
