import type { BlobWriter, DirectAccess, FileStore } from '../../files/file-store.ts';
import type { Database } from '../../ground/database/tables.ts';
import { isBlobName, requireBlobName } from './blob-name.ts';
import { openPartWriter, PartMemory } from './part-writer.ts';
import type { Bucket } from './s3-client.ts';
import { openObjects, type S3Objects } from './s3-objects.ts';
import { openReader } from './s3-reader.ts';
import { blobKey, bytesOfPart, S3Uploads, tailKey } from './s3-uploads.ts';

interface Options extends Bucket {
  /** Whether browsers exchange the bytes with the store itself. */
  direct: boolean;
  /** Where it is written down what is being uploaded. Asked only for a running upload. */
  db(): Database;
  now: () => number;
}

/** How long a signed address can be followed, in seconds: a clock may be some minutes off. */
const ADDRESS_SECONDS = 300;

/**
 * Keeps blobs as objects of a private bucket:
 *
 * - `blobs/{blob}`: a whole one, and while it arrives the parts of its multipart upload;
 * - `tails/{blob}/{part}`: what has arrived of a part that is still too small to be one;
 * - `quarantine/{blob}`: marks one as set apart, because moving it would copy it;
 * - `installation`: the id of the installation.
 */
export function openS3Store({ direct, db, now, ...bucket }: Options): FileStore {
  const objects = openObjects(bucket);
  const uploads = new S3Uploads(objects, { db, now });
  const memory = new PartMemory();
  const { describe, measure, put, drop } = objects;

  async function* listBlobs(prefix: string): AsyncGenerator<string> {
    for await (const name of objects.listKeys(prefix)) if (isBlobName(name)) yield name;
  }

  async function remove(blob: string): Promise<void> {
    await uploads.cancel(blob);
    await drop(blobKey(blob));
  }

  async function openForReading(blob: string) {
    const key = blobKey(blob);
    if ((await describe(key)) === undefined) throw missing(blob);
    return openReader((position) =>
      objects.open({ method: 'GET', key, headers: { range: `bytes=${position}-` } }),
    );
  }

  return {
    place: `the bucket ${bucket.bucket}`,
    bucket: bucket.bucket,
    direct: direct ? openDirectAccess(objects, uploads) : null,
    async sizeOf(blob) {
      const whole = await measure(blobKey(blob));
      if (whole !== null) return whole;
      const upload = await uploads.find(blob);
      return upload ? uploads.measure(upload) : null;
    },
    async changedAt(blob) {
      const upload = await uploads.find(blob);
      if (upload) return upload.changed_at;
      const headers = await describe(blobKey(blob));
      return headers ? Date.parse(headers['last-modified'] ?? '') : null;
    },
    openForAppend: async (blob, offset, size) =>
      openForAppend({ objects, uploads, memory }, requireBlobName(blob), offset, size),
    openForReading,
    async makeDurable(blob) {
      const upload = await uploads.find(blob);
      if (upload) await uploads.complete(upload);
      const size = await measure(blobKey(blob));
      if (size === null) throw missing(blob);
      if (!upload) return;
      if (size !== upload.size_bytes) throw new Error(`The store has ${size} bytes of a blob`);
      await uploads.end(upload);
    },
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
      return (await objects.askForText({ method: 'GET', key: OWNER }))?.trim() || null;
    },
    writeOwner: (id) => put(OWNER, Buffer.from(`${id}\n`)),
  };
}

const BLOBS = 'blobs/';
const QUARANTINE = 'quarantine/';
const OWNER = 'installation';
const NOTHING = new Uint8Array();
const PROBE = Buffer.from('Padlink writes here.\n');

/** What a disk would say. */
function missing(blob: string): Error {
  return Object.assign(new Error(`ENOENT: there is no blob ${blob}`), { code: 'ENOENT' });
}

const NOTHING_TO_WRITE: BlobWriter = {
  async write(chunks) {
    if (chunks.some(({ length }) => length > 0)) throw new Error('More bytes than the blob has');
  },
  async close() {},
};

interface AppendContext {
  objects: S3Objects;
  uploads: S3Uploads;
  memory: PartMemory;
}

async function openForAppend(
  { objects, uploads, memory }: AppendContext,
  blob: string,
  offset: number,
  size: number,
): Promise<BlobWriter> {
  if (offset === size) return NOTHING_TO_WRITE;
  const upload = await uploads.begin(blob, size);
  const { part_bytes } = upload;
  const first = Math.floor(offset / part_bytes) + 1;
  const tailBytes = offset % part_bytes;
  const head = tailBytes > 0 ? await readTail() : NOTHING;
  const isInParts = size > part_bytes;
  // At once: the store takes its time to name it, while the first part arrives.
  const uploadId = isInParts ? uploads.requireId(upload) : Promise.resolve(null);
  // The part that needs it says why there is none.
  const named = uploadId.catch(() => {});

  async function putPart(number: number, body: Uint8Array, md5: string): Promise<void> {
    const id = await uploadId;
    if (id === null) return objects.put(blobKey(blob), body, md5);
    const query = { partNumber: String(number), uploadId: id };
    const request = { method: 'PUT', key: blobKey(blob), query, body, md5 } as const;
    await objects.ask(request);
    await uploads.noteChange(blob);
  }

  async function readTail(): Promise<Uint8Array> {
    const { body } = await objects.ask({ method: 'GET', key: tailKey(blob, first) });
    if (body.byteLength < tailBytes) throw new Error('The tail of the upload is incomplete');
    return body.subarray(0, tailBytes);
  }

  const parts = {
    bytesOf: (number: number) => bytesOfPart(upload, number),
    async store(number: number, part: Uint8Array, md5: string) {
      await putPart(number, part, md5);
      if (number === first && tailBytes > 0) await objects.drop(tailKey(blob, number));
      if (part.byteLength === size) await uploads.forget(blob);
    },
    async keep(number: number, bytes: Uint8Array) {
      await objects.put(tailKey(blob, number), bytes);
      await uploads.noteChange(blob);
    },
  };
  const writer = await openPartWriter(memory, parts, { number: first, head });
  // Whatever begins at the store is known by then.
  const close = async () => {
    try {
      await writer.close();
    } finally {
      await named;
    }
  };
  return { ...writer, close };
}

function openDirectAccess(objects: S3Objects, uploads: S3Uploads): DirectAccess {
  return {
    addressOf: (blob, { disposition, mediaType }) =>
      objects.addressFor(
        blobKey(blob),
        {
          'response-content-disposition': disposition,
          'response-content-type': mediaType,
          'response-cache-control': 'private, no-store, no-transform',
        },
        ADDRESS_SECONDS,
      ),
    async describeParts(blob, size) {
      const upload = await uploads.begin(requireBlobName(blob), size);
      const parts = (await uploads.listParts(upload)) ?? new Map();
      return { partBytes: upload.part_bytes, stored: [...parts.keys()] };
    },
    async signPart(blob, size, { number, sha256 }) {
      const upload = await uploads.begin(requireBlobName(blob), size);
      const length = bytesOfPart(upload, number);
      if (length === 0) return null;
      const uploadId = await uploads.requireId(upload);
      await uploads.noteChange(blob);
      const query = { partNumber: String(number), uploadId };
      return objects.sign({ method: 'PUT', key: blobKey(blob), query }, { length, sha256 });
    },
  };
}
