import {
  type Bucket,
  createS3Client,
  readElements,
  readTag,
  S3Error,
  type S3Request,
} from './s3-client.ts';

export type S3Objects = ReturnType<typeof openObjects>;

/** The objects of a bucket, by their keys. */
export function openObjects(bucket: Bucket) {
  const client = createS3Client(bucket);

  /** Null where there is nothing of this name. */
  async function askForText(request: S3Request): Promise<string | null> {
    const answer = await orNull(client.ask(request));
    return answer && String(answer.body);
  }

  async function describe(key: string) {
    const found = await orNull(client.ask({ method: 'HEAD', key }));
    return found?.headers;
  }

  return {
    ...client,
    askForText,
    describe,
    /** Bytes; null where there is no such object. */
    async measure(key: string): Promise<number | null> {
      const headers = await describe(key);
      return headers ? Number(headers['content-length']) : null;
    },
    async put(key: string, body: Uint8Array, md5?: string): Promise<void> {
      await client.ask({ method: 'PUT', key, body, ...(md5 && { md5 }) });
    },
    async drop(key: string): Promise<void> {
      await orNull(client.ask({ method: 'DELETE', key }));
    },
    /** The keys with a prefix, without it, in the order of their bytes. */
    async *listKeys(prefix: string): AsyncGenerator<string> {
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
        token =
          readTag(xml, 'IsTruncated') === 'true' ? readTag(xml, 'NextContinuationToken') : null;
      }
    },
  };
}

/** Null in place of what is not there. @throws whatever else the store says */
export async function orNull<Value>(asked: Promise<Value>): Promise<Value | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof S3Error && error.status === 404 && error.code !== 'NoSuchBucket')
      return null;
    throw error;
  }
}
