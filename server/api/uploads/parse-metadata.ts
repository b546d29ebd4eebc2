import { TusError } from './tus.ts';

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/;
const MAX_MEDIA_TYPE_LENGTH = 127;
const UNKNOWN_TYPE = 'application/octet-stream';

export interface UploadMetadata {
  fileName: string;
  mediaType: string;
  /** The link id the client chose. */
  linkId: string | null;
}

/** Reads Upload-Metadata: "key base64,key base64". @throws TusError 400 */
export function parseMetadata(header: string | string[] | undefined): UploadMetadata {
  const values = new Map<string, string>();
  for (const pair of String(header ?? '').split(',')) {
    const [key = '', value = '', ...rest] = pair.trim().split(' ');
    if (key === '' && header === undefined) continue;
    if (key === '' || rest.length > 0 || values.has(key)) throw malformed(pair.trim());
    values.set(key, decode(key, value));
  }
  const fileName = values.get('filename');
  if (fileName === undefined) throw new TusError(400, 'Upload-Metadata must name a filename.');
  return {
    fileName,
    mediaType: validMediaType(values.get('filetype') ?? ''),
    linkId: values.get('id') ?? null,
  };
}

export function formatMetadata(metadata: Record<string, string>): string {
  return Object.entries(metadata)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',');
}

function decode(key: string, base64: string): string {
  if (!BASE64.test(base64)) throw malformed(key);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'));
  } catch {
    throw malformed(key);
  }
}

function malformed(part: string): TusError {
  return new TusError(
    400,
    `Upload-Metadata must be pairs of a key and UTF-8 text in base64; '${part}' is not.`,
  );
}

function validMediaType(text: string): string {
  return text.length <= MAX_MEDIA_TYPE_LENGTH && MEDIA_TYPE.test(text)
    ? text.toLowerCase()
    : UNKNOWN_TYPE;
}
