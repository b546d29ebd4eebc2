import type { Selectable } from 'kysely';
import type { Database, Tables } from '../../ground/database/tables.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { requireBlobName } from './blob-name.ts';
import { readElements, readTag, S3Error } from './s3-client.ts';
import { orNull, type S3Objects } from './s3-objects.ts';

type Upload = Selectable<Tables['multipart_upload']>;

/** The fewest bytes that a part may have, unless it is the last. */
export const MIN_PART_BYTES = 5 * 1024 ** 2;
/** The most, unless there would be too many: a large file in few parts needs fewer requests. */
const MAX_PART_BYTES = 16 * 1024 ** 2;
const FEW_PARTS = 8;
const MAX_PARTS = 10_000;

export const blobKey = (blob: string) => `blobs/${requireBlobName(blob)}`;
export const tailKey = (blob: string, part: number | string) => `tails/${blob}/${part}`;

/** The uploads under way: the database names them, and what has arrived is asked of the store. */
export class S3Uploads {
  readonly #objects: S3Objects;
  readonly #db: () => Database;
  readonly #now: () => number;

  constructor(objects: S3Objects, { db, now }: { db(): Database; now: () => number }) {
    this.#objects = objects;
    this.#db = db;
    this.#now = now;
  }

  find(blob: string): Promise<Upload | undefined> {
    return this.#db()
      .selectFrom('multipart_upload')
      .selectAll()
      .where('blob', '=', requireBlobName(blob))
      .executeTakeFirst();
  }

  async begin(blob: string, size: number): Promise<Upload> {
    const known = await this.find(blob);
    if (known) return known;
    const part_bytes = choosePartBytes(size);
    const upload = { blob, upload_id: null, size_bytes: size, part_bytes, changed_at: this.#now() };
    await this.#db()
      .insertInto('multipart_upload')
      .values(upload)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return (await this.find(blob)) ?? upload;
  }

  async noteChange(blob: string): Promise<void> {
    await this.#db()
      .updateTable('multipart_upload')
      .set({ changed_at: this.#now() })
      .where('blob', '=', blob)
      .execute();
  }

  async forget(blob: string): Promise<void> {
    await this.#db().deleteFrom('multipart_upload').where('blob', '=', blob).execute();
  }

  /**
   * The store's name of a multipart upload. It is written down before any part is sent: nobody would
   * find one otherwise.
   * @throws DomainError UPLOAD_NOT_FOUND where it was canceled meanwhile
   */
  async requireId(upload: Upload | undefined): Promise<string> {
    if (!upload) throw new DomainError('UPLOAD_NOT_FOUND', 'This upload does not exist.');
    const { blob, upload_id } = upload;
    if (upload_id !== null) return upload_id;
    const query = { uploads: '' };
    const { body } = await this.#objects.ask({ method: 'POST', key: blobKey(blob), query });
    const id = readTag(String(body), 'UploadId');
    if (id === null) throw new Error('The store did not name the multipart upload');
    const { numUpdatedRows } = await this.#db()
      .updateTable('multipart_upload')
      .set({ upload_id: id })
      .where('blob', '=', blob)
      .where('upload_id', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) return id;
    // Another request was faster. What cannot be aborted holds no part.
    await this.#abort(blob, id).catch(() => {});
    return this.requireId(await this.find(blob));
  }

  /** The parts that are whole, by their numbers; null once the upload has ended. */
  async listParts(upload: Upload): Promise<Map<number, string> | null> {
    const parts = new Map<number, string>();
    const { blob, upload_id: uploadId } = upload;
    if (uploadId === null) return parts;
    for (let marker: string | null = '0'; marker !== null; ) {
      const query = { uploadId, 'part-number-marker': marker };
      const request = { method: 'GET', key: blobKey(blob), query } as const;
      const xml: string | null = await this.#objects.askForText(request);
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
  async measure(upload: Upload): Promise<number | null> {
    const parts = await this.listParts(upload);
    if (!parts) return null;
    let bytes = 0;
    let number = 1;
    for (; parts.has(number); number += 1) bytes += bytesOfPart(upload, number);
    if (bytes === upload.size_bytes) return bytes;
    return bytes + ((await this.#objects.measure(tailKey(upload.blob, number))) ?? 0);
  }

  /** Makes one object of the parts, where it is in parts and not yet one. */
  async complete(upload: Upload): Promise<void> {
    const { blob, upload_id: uploadId, size_bytes, part_bytes } = upload;
    const parts = uploadId && (await this.listParts(upload));
    if (!uploadId || !parts) return;
    const listed = Array.from({ length: Math.ceil(size_bytes / part_bytes) }, (_, index) => {
      const etag = parts.get(index + 1);
      if (etag === undefined) throw new Error(`Part ${index + 1} of a blob is missing`);
      return `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`;
    });
    const request = {
      method: 'POST',
      key: blobKey(blob),
      query: { uploadId },
      headers: { 'content-type': 'application/xml' },
      body: Buffer.from(`<CompleteMultipartUpload>${listed.join('')}</CompleteMultipartUpload>`),
    } as const;
    // The answer may have begun as a good one.
    const [fault] = readElements((await this.#objects.askForText(request)) ?? '', 'Error');
    if (fault) throw new S3Error(request, 200, readTag(fault, 'Code') ?? 'Error');
  }

  async cancel(blob: string): Promise<void> {
    // It may be named meanwhile.
    for (let upload = await this.find(blob); upload; upload = await this.find(blob)) {
      if (upload.upload_id) await this.#abort(blob, upload.upload_id);
      await this.end(upload);
    }
  }

  async #abort(blob: string, uploadId: string): Promise<void> {
    const query = { uploadId };
    await orNull(this.#objects.ask({ method: 'DELETE', key: blobKey(blob), query }));
  }

  /** Removes what is only needed while a blob arrives, and what a crash has left of it. */
  async end({ blob, upload_id }: Upload): Promise<void> {
    const { listKeys, drop } = this.#objects;
    for await (const tail of listKeys(tailKey(blob, ''))) await drop(tailKey(blob, tail));
    // Last: a crash before that leaves what the sweep finds and ends.
    await this.#db()
      .deleteFrom('multipart_upload')
      .where('blob', '=', blob)
      .where('upload_id', 'is not distinct from', upload_id)
      .execute();
  }
}

const MEBIBYTE = 1024 ** 2;

/** Whole mebibytes, so that files of about the same size can share memory. */
function choosePartBytes(size: number): number {
  const inFew = Math.min(Math.ceil(size / FEW_PARTS), MAX_PART_BYTES);
  const bytes = Math.max(MIN_PART_BYTES, inFew, Math.ceil(size / MAX_PARTS));
  return Math.ceil(bytes / MEBIBYTE) * MEBIBYTE;
}

/** Of the part with this number, from 1; 0 where there is no such part. */
export function bytesOfPart({ size_bytes, part_bytes }: Upload, number: number): number {
  return Math.max(Math.min(part_bytes, size_bytes - (number - 1) * part_bytes), 0);
}
