import { describe, expect, test } from 'vitest';
import {
  BYTES,
  create,
  metadata,
  patch,
  tus,
  type UploadServer,
  useUploadServer,
} from './upload-server.test.support.ts';

const LIMIT = 1024 ** 2;
const NAME = { 'upload-metadata': metadata({ filename: 'a.bin' }) };
const TEN = { 'upload-length': '10', ...NAME };
const OLD = { 'tus-resumable': '0.9.9' };
const NONE = { 'tus-resumable': '' };
const at = (offset: number | string) => ({ ...BYTES, 'upload-offset': String(offset) });
const named = (text: string) => ({ 'upload-length': '10', 'upload-metadata': text });

/** Paths of uploads in the states that a case may begin with. */
const PATHS = {
  all: async () => '/uploads',
  unknown: async () => `/uploads/${'0'.repeat(32)}`,
  new: (server: UploadServer) => create(server, 10),
  async begun(server: UploadServer) {
    const path = await create(server, 10);
    await patch(server, path, 0, '123456');
    return path;
  },
  async finished(server: UploadServer) {
    const path = await create(server, 10);
    await patch(server, path, 0, '1234567890');
    return path;
  },
  async deleted(server: UploadServer) {
    const path = await create(server, 10);
    await tus(server, 'DELETE', path);
    return path;
  },
};

type Case = [
  method: string,
  of: keyof typeof PATHS,
  what: string,
  headers: Record<string, string>,
  body: string | undefined,
  status: number,
  /** Null for a header that must not be there. */
  answer?: Record<string, string | null>,
];

const DISCOVERED = {
  'tus-version': '1.0.0',
  'tus-extension': 'creation,creation-with-upload,termination',
  'tus-max-size': String(LIMIT),
  'tus-checksum-algorithm': null,
  'content-type': null,
};
const REFUSED_VERSION = { 'tus-version': '1.0.0', location: null };

/**
 * The cases that lua-tus-server and tus-ruby-server publish for these extensions. What is answered
 * otherwise here is marked, and says why.
 */
describe('the public cases of tus', () => {
  const server = useUploadServer({ maxFileBytes: LIMIT });

  test.each<Case>([
    ['OPTIONS', 'all', 'without a version', NONE, undefined, 204, DISCOVERED],
    ['OPTIONS', 'unknown', 'without a version', NONE, undefined, 204, DISCOVERED],
    ['GET', 'all', 'of no upload', {}, undefined, 405],
    ['PUT', 'all', 'of no upload', {}, '', 405],
    // Every browser that runs the page sends PATCH and DELETE.
    [
      'GET',
      'all',
      'overriding its method (differs)',
      { 'x-http-method-override': 'OPTIONS' },
      undefined,
      405,
    ],

    ['POST', 'all', 'without a version', { ...TEN, ...NONE }, undefined, 412, REFUSED_VERSION],
    ['POST', 'all', 'of another version', { ...TEN, ...OLD }, undefined, 412, REFUSED_VERSION],
    // The protocol names no status.
    ['POST', 'all', 'without a length (differs)', NAME, undefined, 400, { location: null }],
    ['POST', 'all', 'of a length below zero', { ...TEN, 'upload-length': '-1' }, undefined, 400],
    ['POST', 'all', 'of a length that is none', { ...TEN, 'upload-length': 'foo' }, undefined, 400],
    // Nobody buys an empty file.
    ['POST', 'all', 'of no bytes (differs)', { ...TEN, 'upload-length': '0' }, undefined, 400],
    [
      'POST',
      'all',
      'of ten bytes',
      TEN,
      undefined,
      201,
      { 'content-type': null, 'upload-offset': '0' },
    ],
    [
      'POST',
      'all',
      'of the largest size',
      { ...TEN, 'upload-length': String(LIMIT) },
      undefined,
      201,
    ],
    [
      'POST',
      'all',
      'of one byte more',
      { ...TEN, 'upload-length': String(LIMIT + 1) },
      undefined,
      413,
    ],
    ['POST', 'all', 'of two lengths', { ...TEN, 'upload-defer-length': '1' }, undefined, 400],
    ['POST', 'all', 'of a later length', { ...NAME, 'upload-defer-length': '1' }, undefined, 400],
    [
      'POST',
      'all',
      'with its bytes',
      { ...TEN, ...BYTES },
      '1234567890',
      201,
      { 'upload-offset': '10' },
    ],
    [
      'POST',
      'all',
      'with some bytes',
      { ...TEN, ...BYTES },
      '123456',
      201,
      { 'upload-offset': '6' },
    ],
    [
      'POST',
      'all',
      'with more bytes',
      { ...TEN, ...BYTES },
      '12345678901',
      413,
      { location: null },
    ],
    // A file needs a name.
    ['POST', 'all', 'without metadata (differs)', { 'upload-length': '10' }, undefined, 400],
    ['POST', 'all', 'with metadata in no base64', named('filename testval-'), undefined, 400],
    ['POST', 'all', 'with three words of metadata', named('filename YQ== aa'), undefined, 400],
    ['POST', 'all', 'with an empty pair of metadata', named('filename YQ==,'), undefined, 400],
    ['POST', 'all', 'with a bad second pair', named('filename YQ==,more testval*'), undefined, 400],
    ['POST', 'all', 'with two pairs', named('filename YQ==,more dGVzdA=='), undefined, 201],
    ['POST', 'all', 'with a key alone', named('filename YQ==,more'), undefined, 201],

    ['HEAD', 'unknown', 'of no upload', {}, undefined, 404, { 'upload-offset': null }],
    ['HEAD', 'deleted', 'of a deleted upload', {}, undefined, 404, { 'upload-offset': null }],
    ['HEAD', 'new', 'without a version', NONE, undefined, 412, { 'upload-offset': null }],
    [
      'HEAD',
      'new',
      'of a new upload',
      {},
      undefined,
      200,
      {
        'upload-offset': '0',
        'upload-length': '10',
        'cache-control': 'no-store',
        'upload-defer-length': null,
        'upload-concat': null,
      },
    ],
    [
      'HEAD',
      'begun',
      'of a part',
      {},
      undefined,
      200,
      { 'upload-offset': '6', 'upload-length': '10' },
    ],
    [
      'HEAD',
      'finished',
      'of a finished upload',
      {},
      undefined,
      200,
      { 'upload-offset': '10', 'upload-length': '10' },
    ],

    ['PATCH', 'new', 'without a type', { 'upload-offset': '0' }, '123456', 415],
    [
      'PATCH',
      'new',
      'of another type',
      { ...at(0), 'content-type': 'application/octet-stream' },
      '123456',
      415,
    ],
    ['PATCH', 'new', 'without a version', { ...at(0), ...NONE }, '123456', 412],
    ['PATCH', 'new', 'without an offset', BYTES, '123456', 400],
    ['PATCH', 'new', 'at an offset that is none', at('foo'), '123456', 400],
    ['PATCH', 'new', 'at an offset below zero', at(-1), '123456', 400],
    ['PATCH', 'new', 'at another offset', at(5), '12345', 409],
    ['PATCH', 'new', 'of the first bytes', at(0), '123456', 204, { 'upload-offset': '6' }],
    ['PATCH', 'new', 'of no bytes', at(0), '', 204, { 'upload-offset': '0' }],
    ['PATCH', 'begun', 'of the last bytes', at(6), '7890', 204, { 'upload-offset': '10' }],
    ['PATCH', 'begun', 'of too many bytes', at(6), '789012', 413],
    ['PATCH', 'finished', 'of nothing more', at(10), '', 204, { 'upload-offset': '10' }],
    // As at any other time: nothing changes.
    ['PATCH', 'finished', 'of what is there (differs)', at(0), '12345', 409],
    ['PATCH', 'unknown', 'of no upload', at(0), '12345', 404],

    ['DELETE', 'begun', 'of a part', {}, undefined, 204],
    ['DELETE', 'new', 'without a version', NONE, undefined, 412],
    // A link may sell it: DELETE /storage decides that.
    ['DELETE', 'finished', 'of a finished upload (differs)', {}, undefined, 403],
    ['DELETE', 'deleted', 'of a deleted upload', {}, undefined, 404],
    ['DELETE', 'unknown', 'of no upload', {}, undefined, 404],
  ])('%s, %s: %s', async (method, of, _what, headers, body, status, answer = {}) => {
    const response = await tus(server, method, await PATHS[of](server), headers, body);
    expect(response.status).toBe(status);
    const got = Object.keys(answer).map((name) => [name, response.headers.get(name)]);
    expect(Object.fromEntries(got)).toEqual(answer);
    expect(response.headers.get('tus-resumable')).toBe('1.0.0');
  });
});
