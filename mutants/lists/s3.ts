import type { Mutant } from '../mutant.ts';

const STORES = 'server/adapters/storage/stores.test.ts';
const SALE = 'tests/s3-sale.test.ts';
const STORE = 'server/adapters/storage/s3-store.ts';
const CLIENT = 'server/adapters/storage/s3-client.ts';

export const mutants: Mutant[] = [
  {
    fault: 'a part may hold other bytes than were signed',
    file: CLIENT,
    find: "'x-amz-content-sha256': sha256,",
    replace: "'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',",
    tests: [SALE],
    titles: 'takes no other bytes',
  },
  {
    fault: 'a part of another upload, or of none, is signed',
    file: STORE,
    find: 'if (length === 0) return null;',
    replace: '',
    tests: [SALE],
    titles: 'takes no other bytes',
  },
  {
    fault: 'parts of a finished upload are signed',
    file: 'server/files/part-routes.ts',
    find: 'if (upload.finished_at === null) return upload;',
    replace: 'if (upload) return upload;',
    tests: [SALE],
    titles: 'arrives in parts of any order',
  },
  {
    fault: 'the end of a part that is too small is lost with its request',
    file: STORE,
    find: 'if (filled > stored && filled < part.byteLength) {',
    replace: 'if (filled < 0) {',
    tests: [STORES],
    titles: 's3.*wherever it was left',
  },
  {
    fault: 'an upload is completed without all of its parts',
    file: STORE,
    find: 'if (etag === undefined) throw',
    replace: 'if (etag === null) throw',
    tests: [STORES],
    titles: 's3.*completes no upload without all',
  },
  {
    fault: 'a canceled upload can be continued at the store',
    file: STORE,
    find: 'if (upload?.upload_id) {',
    replace: 'if (upload?.upload_id === null) {',
    tests: [SALE],
    titles: 'ends when it is canceled',
  },
  {
    fault: 'what is in quarantine is listed as if it were needed',
    file: STORE,
    find: 'if (!apart.has(blob)) yield blob;',
    replace: 'yield blob;',
    tests: [STORES],
    titles: 's3.*keeps apart',
  },
  {
    fault: 'a store that cannot be reached is an internal error',
    file: 'server/lib/cannot-store.ts',
    find: 'if (error instanceof StorageFault) return error.remedy;',
    replace: '',
    tests: ['tests/store-faults.test.ts'],
    titles: 'cannot be reached',
  },
  {
    fault: 'the store is asked for files without a name',
    file: STORE,
    find: "'response-content-disposition': disposition,",
    replace: '',
    tests: [SALE],
    titles: 'direct.*arrive whole and in parts',
  },
  {
    fault: 'a place is used while its files are being moved',
    file: 'server/installation/match-installation.ts',
    find: 'if (known && marked?.startsWith(',
    replace: 'if (!known && marked?.startsWith(',
    tests: ['tests/move-storage.test.ts'],
    titles: 'goes to S3',
  },
  {
    fault: 'files without a copy are removed with the source of a move',
    file: 'server/installation/move-storage.ts',
    find: 'if (source !== MOVES.moved(id) || target !== id) {',
    replace: 'if (!source && !target) {',
    tests: ['tests/move-storage.test.ts'],
    titles: 'goes to S3',
  },
  {
    fault: 'a file that is no longer what was uploaded is moved without a word',
    file: 'server/installation/move-storage.ts',
    find: '(file.sha256 ?? sha256) !== sha256',
    replace: 'file.sha256 === sha256.slice(1)',
    tests: ['tests/move-storage.test.ts'],
    titles: 'goes to S3',
  },
  {
    fault: 'the hash is that of what passed the server, whatever was sent to the store',
    file: 'server/files/append-to-upload.ts',
    find: 'store.direct ? null : passed',
    replace: 'passed',
    tests: [SALE],
    titles: 'has the hash of what the store holds',
  },
];
