import type { Selectable } from 'kysely';
import type { BlobReader, BlobWriter, DirectAccess, FileStore } from '../../files/file-store.ts';
import type { Database, Tables } from '../../ground/database/tables.ts';
import { isBlobName, requireBlobName } from './blob-name.ts';
import { openPartWriter, SpareMemory } from './part-writer.ts';
import {
  type Bucket,
  createS3Client,
  readElements,
  readTag,
  S3Error,
  type S3Request,
} from './s3-client.ts';

interface Options extends Bucket {
  /** Whether browsers exchange the bytes with the store itself. */
  direct: boolean;
  /** Where it is written down what is being uploaded. Asked only for a running upload. */
  db(): Database;
  now: () => number;
}

type Upload = Selectable<Tables['multipart_upload']>;

/** The fewest bytes that a part may have, unless it is the last. */
const MIN_PART_BYTES = 5 * 1024 ** 2;
/** The most, unless there would be too many: a large file in few parts needs fewer requests. */
const MAX_PART_BYTES = 16 * 1024 ** 2;
const FEW_PARTS = 8;
const MAX_PARTS = 10_000;

/** How long a signed address can be followed, in seconds: a clock may be some minutes off. */
const ADDRESS_SECONDS = 300;

/**
 * Keeps blobs as objects of a private bucket:
 *
 * - `blobs/{blob}`: a whole one, and while it arrives the parts of its multipart upload;
 * - `tails/{blob}/{part}`: what has arrived of a part that is still too small to be one;
 * - `quarantine/{blob}`: marks one as set apart, because moving it would copy it;
 * - `installation`: the id of the installation.
 *
 * What has arrived is always asked of the store. The database names the multipart uploads.
 */
export function openS3Store({ direct, db, now, ...bucket }: Options): FileStore {
  const client = createS3Client(bucket);
  const spare = new SpareMemory();

  const findUpload = (blob: string): Promise<Upload | undefined> =>
    db()
      .selectFrom('multipart_upload')
      .selectAll()
      .where('blob', '=', requireBlobName(blob))
      .executeTakeFirst();

  async function beginUpload(blob: string, size: number): Promise<Upload> {
    const known = await findUpload(blob);
    if (known) return known;
    const part_bytes = choosePartBytes(size);
    const upload = { blob, upload_id: null, size_bytes: size, part_bytes, changed_at: now() };
    await db().insertInto('multipart_upload').values(upload).execute();
    return upload;
  }

  async function noteChange(blob: string, upload_id: string | null): Promise<void> {
    await db()
      .updateTable('multipart_upload')
      .set({ changed_at: now(), upload_id })
      .where('blob', '=', blob)
      .execute();
  }

  /** The store's name of a multipart upload, which begins with its first part. */
  async function requireUploadId({ blob, upload_id }: Upload): Promise<string> {
    if (upload_id !== null) return upload_id;
    const { body } = await client.ask({
      method: 'POST',
      key: blobKey(blob),
      query: { uploads: '' },
    });
    const id = readTag(String(body), 'UploadId');
    if (id === null) throw new Error('The store did not name the multipart upload');
    return id;
  }

  /** The parts that are whole, by their numbers; null once the upload has ended. */
  async function listParts(upload: Upload): Promise<Map<number, string> | null> {
    const parts = new Map<number, string>();
    const { blob, upload_id: uploadId } = upload;
    if (uploadId === null) return parts;
    for (let marker: string | null = '0'; marker !== null; ) {
      const query = { uploadId, 'part-number-marker': marker };
      const xml: string | null = await askForText({ method: 'GET', key: blobKey(blob), query });
      if (xml === null) return null;
      for (const part of readElements(xml, 'Part')) {
        const number = Number(readTag(part, 'PartNumber'));
        const isWhole = Number(readTag(part, 'Size')) === bytesOfPart(upload, number);
        if (isWhole) parts.set(number, readTag(part, 'ETag') ?? '');
      }
      marker = readTag(xml, 'IsTruncated') === 'true' ? readTag(xml, 'NextPartNumberMarker') : null;
    }
    return parts;
  }

  /** How many bytes of a running upload are there without a gap; null once it has ended. */
  async function measureUpload(upload: Upload): Promise<number | null> {
    const parts = await listParts(upload);
    if (!parts) return null;
    let bytes = 0;
    let number = 1;
    for (; parts.has(number); number += 1) bytes += bytesOfPart(upload, number);
    if (bytes === upload.size_bytes) return bytes;
    return bytes + ((await measure(tailKey(upload.blob, number))) ?? 0);
  }

  /** Null where there is nothing of this name. */
  async function askForText(request: S3Request): Promise<string | null> {
    const answer = await orNull(client.ask(request));
    return answer && String(answer.body);
  }

  async function describe(key: string) {
    const found = await orNull(client.ask({ method: 'HEAD', key }));
    return found?.headers;
  }

  async function measure(key: string): Promise<number | null> {
    const headers = await describe(key);
    return headers ? Number(headers['content-length']) : null;
  }

  async function sizeOf(blob: string): Promise<number | null> {
    const whole = await measure(blobKey(blob));
    if (whole !== null) return whole;
    const upload = await findUpload(blob);
    return upload ? measureUpload(upload) : null;
  }

  async function put(key: string, body: Uint8Array, md5?: string): Promise<void> {
    await client.ask({ method: 'PUT', key, body, ...(md5 && { md5 }) });
  }

  async function drop(key: string): Promise<void> {
    await orNull(client.ask({ method: 'DELETE', key }));
  }

  /** The keys with a prefix, without it, in the order of their bytes. */
  async function* listKeys(prefix: string): AsyncGenerator<string> {
    for (let token: string | null = ''; token !== null; ) {
      const query = {
        'list-type': '2',
        prefix,
        ...(token && { 'continuation-token': token }),
      };
      const { body } = await client.ask({ method: 'GET', query });
      const xml = String(body);
      for (const item of readElements(xml, 'Contents')) {
        yield (readTag(item, 'Key') ?? '').slice(prefix.length);
      }
      token = readTag(xml, 'IsTruncated') === 'true' ? readTag(xml, 'NextContinuationToken') : null;
    }
  }

  async function* listBlobs(prefix: string): AsyncGenerator<string> {
    for await (const name of listKeys(prefix)) if (isBlobName(name)) yield name;
  }

  async function forgetUpload(blob: string): Promise<void> {
    await db().deleteFrom('multipart_upload').where('blob', '=', blob).execute();
  }

  /** Removes what is only needed while a blob arrives, and what a crash has left of it. */
  async function endUpload(blob: string): Promise<void> {
    for await (const tail of listKeys(tailKey(blob, ''))) await drop(tailKey(blob, tail));
    // Last: a crash before that leaves what the sweep finds and ends.
    await forgetUpload(blob);
  }

  async function openForAppend(blob: string, offset: number, size: number): Promise<BlobWriter> {
    const upload = await beginUpload(requireBlobName(blob), size);
    const { part_bytes } = upload;
    const first = Math.floor(offset / part_bytes) + 1;
    const tailBytes = offset % part_bytes;
    let uploadId: Promise<string> | undefined;

    async function putPart(number: number, body: Uint8Array, md5: string): Promise<void> {
      if (body.byteLength === size) {
        await put(blobKey(blob), body, md5);
        return;
      }
      uploadId ??= requireUploadId(upload);
      const query = { partNumber: String(number), uploadId: await uploadId };
      // Before the part, which nobody would find without.
      await noteChange(blob, query.uploadId);
      await client.ask({ method: 'PUT', key: blobKey(blob), query, body, md5 });
    }

    const parts = {
      bytesOf: (number: number) => bytesOfPart(upload, number),
      async store(number: number, part: Uint8Array, md5: string) {
        await putPart(number, part, md5);
        if (number === first && tailBytes > 0) await drop(tailKey(blob, number));
        if (part.byteLength === size) await forgetUpload(blob);
      },
      async keep(number: number, bytes: Uint8Array) {
        await put(tailKey(blob, number), bytes);
        await noteChange(blob, (await uploadId) ?? upload.upload_id);
      },
    };
    const head = tailBytes > 0 ? await readTail(blob, first, tailBytes) : NOTHING;
    return openPartWriter(spare, parts, { number: first, head });
  }

  async function readTail(blob: string, part: number, bytes: number): Promise<Uint8Array> {
    const { body } = await client.ask({ method: 'GET', key: tailKey(blob, part) });
    if (body.byteLength < bytes) throw new Error('The tail of the upload is incomplete');
    return body.subarray(0, bytes);
  }

  async function makeDurable(blob: string): Promise<void> {
    const upload = await findUpload(blob);
    const parts = upload?.upload_id ? await listParts(upload) : null;
    if (upload?.upload_id && parts) await complete(upload, upload.upload_id, parts);
    const size = await measure(blobKey(blob));
    if (size === null) throw missing(blob);
    if (!upload) return;
    if (size !== upload.size_bytes) throw new Error(`The store has ${size} bytes of a blob`);
    await endUpload(blob);
  }

  async function complete(upload: Upload, uploadId: string, parts: Map<number, string>) {
    const count = Math.ceil(upload.size_bytes / upload.part_bytes);
    const listed = Array.from({ length: count }, (_, index) => {
      const etag = parts.get(index + 1);
      if (etag === undefined) throw new Error(`Part ${index + 1} of a blob is missing`);
      return `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`;
    });
    const request = {
      method: 'POST',
      key: blobKey(upload.blob),
      query: { uploadId },
      headers: { 'content-type': 'application/xml' },
      body: Buffer.from(`<CompleteMultipartUpload>${listed.join('')}</CompleteMultipartUpload>`),
    } as const;
    // The answer may have begun as a good one.
    const [fault] = readElements((await askForText(request)) ?? '', 'Error');
    if (fault) throw new S3Error(request, 200, readTag(fault, 'Code') ?? 'Error');
  }

  async function remove(blob: string): Promise<void> {
    const upload = await findUpload(blob);
    if (upload?.upload_id) {
      const query = { uploadId: upload.upload_id };
      await orNull(client.ask({ method: 'DELETE', key: blobKey(blob), query }));
    }
    if (upload) await endUpload(blob);
    await drop(blobKey(blob));
  }

  async function changedAt(blob: string): Promise<number | null> {
    const upload = await findUpload(blob);
    if (upload) return upload.changed_at;
    const headers = await describe(blobKey(blob));
    return headers ? Date.parse(headers['last-modified'] ?? '') : null;
  }

  async function openForReading(blob: string): Promise<BlobReader> {
    const key = blobKey(blob);
    if ((await describe(key)) === undefined) throw missing(blob);
    return openReader((position) =>
      client.open({ method: 'GET', key, headers: { range: `bytes=${position}-` } }),
    );
  }

  const access: DirectAccess = {
    addressOf: (blob, { disposition, mediaType }) =>
      client.addressFor(
        blobKey(blob),
        {
          'response-content-disposition': disposition,
          'response-content-type': mediaType,
          'response-cache-control': 'private, no-store, no-transform',
        },
        ADDRESS_SECONDS,
      ),
    async describeParts(blob, size) {
      const upload = await beginUpload(requireBlobName(blob), size);
      const parts = (await listParts(upload)) ?? new Map();
      return { partBytes: upload.part_bytes, stored: [...parts.keys()] };
    },
    async signPart(blob, size, { number, sha256 }) {
      const upload = await beginUpload(requireBlobName(blob), size);
      const length = bytesOfPart(upload, number);
      if (length === 0) return null;
      const uploadId = await requireUploadId(upload);
      await noteChange(blob, uploadId);
      const query = { partNumber: String(number), uploadId };
      return client.sign({ method: 'PUT', key: blobKey(blob), query }, { length, sha256 });
    },
  };

  return {
    place: `the bucket ${bucket.bucket}`,
    bucket: bucket.bucket,
    direct: direct ? access : null,
    sizeOf,
    changedAt,
    openForAppend,
    openForReading,
    makeDurable,
    remove,
    measureSpace: async () => ({ free: Number.POSITIVE_INFINITY, total: Number.POSITIVE_INFINITY }),
    async probe() {
      await put('probe', PROBE);
      await drop('probe');
    },
    async *list() {
      const apart = new Set<string>();
      for await (const blob of listBlobs(QUARANTINE)) apart.add(blob);
      for await (const blob of listBlobs(BLOBS)) if (!apart.has(blob)) yield blob;
    },
    async quarantine(blob) {
      const size = await measure(blobKey(blob));
      if (size !== null) await put(`${QUARANTINE}${blob}`, NOTHING);
      return size ?? 0;
    },
    release: async (blob) => drop(`${QUARANTINE}${requireBlobName(blob)}`),
    async removeQuarantined(blob) {
      const size = await measure(blobKey(blob));
      await remove(blob);
      await drop(`${QUARANTINE}${blob}`);
      return size ?? 0;
    },
    listQuarantined: () => listBlobs(QUARANTINE),
    openQuarantined: openForReading,
    async readOwner() {
      return (await askForText({ method: 'GET', key: OWNER }))?.trim() || null;
    },
    writeOwner: (id) => put(OWNER, Buffer.from(`${id}\n`)),
  };
}

const BLOBS = 'blobs/';
const QUARANTINE = 'quarantine/';
const OWNER = 'installation';
const NOTHING = new Uint8Array();
const PROBE = Buffer.from('Padlink writes here.\n');

const blobKey = (blob: string) => `${BLOBS}${requireBlobName(blob)}`;
const tailKey = (blob: string, part: number | string) => `tails/${blob}/${part}`;

function choosePartBytes(size: number): number {
  const inFew = Math.min(Math.ceil(size / FEW_PARTS), MAX_PART_BYTES);
  return Math.max(MIN_PART_BYTES, inFew, Math.ceil(size / MAX_PARTS));
}

/** Of the part with this number, from 1; 0 where there is no such part. */
function bytesOfPart({ size_bytes, part_bytes }: Upload, number: number): number {
  return Math.max(Math.min(part_bytes, size_bytes - (number - 1) * part_bytes), 0);
}

/** What a disk would say. */
function missing(blob: string): Error {
  return Object.assign(new Error(`ENOENT: there is no blob ${blob}`), { code: 'ENOENT' });
}

/** Null in place of what is not there. @throws whatever else the store says */
async function orNull<Value>(asked: Promise<Value>): Promise<Value | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof S3Error && error.status === 404 && error.code !== 'NoSuchBucket')
      return null;
    throw error;
  }
}

/** How often in a row reading may break off before it fails. */
const MAX_BREAKS = 3;

/** Reads on from one answer for as long as the positions follow each other. */
function openReader(
  open: (position: number) => Promise<AsyncIterable<Uint8Array> & { destroy(): void }>,
): BlobReader {
  let answer: Awaited<ReturnType<typeof open>> | null = null;
  let chunks: AsyncIterator<Uint8Array> | null = null;
  let rest: Uint8Array = NOTHING;
  let end = -1;
  const stop = () => {
    answer?.destroy();
    answer = null;
    chunks = null;
    rest = NOTHING;
  };
  async function next(position: number): Promise<Uint8Array> {
    if (rest.byteLength > 0) return rest;
    if (!chunks) {
      answer = await open(position);
      chunks = answer[Symbol.asyncIterator]();
    }
    const { value, done } = await chunks.next();
    return done ? NOTHING : value;
  }
  return {
    async read(buffer, length, position) {
      if (position !== end) stop();
      end = position;
      for (let breaks = 0; ; breaks += 1) {
        try {
          rest = await next(position);
          break;
        } catch (error) {
          stop();
          if (error instanceof S3Error && error.status === 416) return 0;
          if (error instanceof S3Error || breaks === MAX_BREAKS) throw error;
        }
      }
      const taken = rest.subarray(0, length);
      buffer.set(taken);
      rest = rest.subarray(taken.byteLength);
      end += taken.byteLength;
      return taken.byteLength;
    },
    close: async () => stop(),
  };
}
