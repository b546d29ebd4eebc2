import { readdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll } from 'vitest';
import { toProblem } from '../../edge/http/errors.ts';
import { guardRoutes } from '../../edge/http/guard-routes.ts';
import type { RateLimits } from '../../edge/http/rate-limits.ts';
import type { Database } from '../../ground/database/tables.ts';
import { GUEST } from '../../ground/lib/viewer.ts';
import { identifyViewers } from '../../people/viewer/find-viewer.ts';
import type { FileStore } from '../file-store.ts';
import { openFileStores } from '../file-stores.test.support.ts';
import type { StoredFile } from '../tables.ts';
import { uploadRoutes } from '../upload-routes.ts';

export interface UploadServer {
  app: FastifyInstance;
  origin: string;
  dataDir: string;
  db: Database;
  store: FileStore;
}

interface Options {
  maxFileBytes?: number;
  accountQuotaBytes?: number;
  limits?: RateLimits;
  changeStore?(store: FileStore): FileStore;
  now?(): number;
}

/** The upload routes alone. Who asks is whom the header x-user names. */
async function startUploadServer(options: Options = {}) {
  const files = await openFileStores();
  const { db, dataDir } = files;
  const store = options.changeStore?.(files.store) ?? files.store;
  const app = Fastify({ forceCloseConnections: true });
  app.setErrorHandler(async (error, _request, reply) => {
    const { said: _, ...problem } = toProblem(error);
    return reply.status(problem.status).type('application/problem+json').send(problem);
  });
  identifyViewers(app, async ({ headers }) => {
    const id = headers['x-user'];
    const creatorId = typeof id === 'string' ? id : null;
    const authority = creatorId ? 'creator' : 'none';
    return { ...GUEST, authority, creatorId, may: { ...GUEST.may, sell: creatorId } };
  });
  guardRoutes(app, options.limits ?? { take: async () => () => {} });
  await app.register(uploadRoutes, {
    db,
    store,
    maxFileBytes: options.maxFileBytes ?? 1024 ** 3,
    accountQuotaBytes: options.accountQuotaBytes ?? 1024 ** 3,
    quotaUploadsADay: null,
    leases: null,
    now: options.now ?? Date.now,
    scans: false,
    async requireSeller() {},
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return {
    app,
    dataDir,
    db,
    store,
    origin: `http://127.0.0.1:${port}`,
    async stop() {
      await app.close();
      await files.close();
    },
  };
}

/** One upload server for all tests of the surrounding `describe`. */
export function useUploadServer(options?: Options): UploadServer {
  const server = {} as UploadServer;
  let stop = async () => {};
  beforeAll(async () => {
    const started = await startUploadServer(options);
    stop = started.stop;
    Object.assign(server, started);
  });
  afterAll(() => stop());
  return server;
}

export function metadata(values: Record<string, string>): string {
  return Object.entries(values)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',');
}

/** A request of the protocol as one creator. */
export function tus(
  { origin }: UploadServer,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: BodyInit,
): Promise<Response> {
  const all = { 'tus-resumable': '1.0.0', 'x-user': 'alice', ...headers };
  return fetch(new URL(path, origin), {
    method,
    headers: all,
    body,
    duplex: 'half',
  } as RequestInit);
}

export const BYTES = { 'content-type': 'application/offset+octet-stream' };

/** Asks for an upload to be opened. */
export function announce(
  server: UploadServer,
  size: number,
  values: Record<string, string> = { filename: 'a.bin' },
  headers: Record<string, string> = {},
): Promise<Response> {
  return tus(server, 'POST', '/uploads', {
    'upload-length': String(size),
    'upload-metadata': metadata(values),
    ...headers,
  });
}

/** Opens an upload and gives its path. */
export async function create(
  server: UploadServer,
  size: number,
  values?: Record<string, string>,
): Promise<string> {
  const response = await announce(server, size, values);
  const location = response.headers.get('location');
  if (!location) throw new Error(`Refused: ${await response.text()}`);
  return location;
}

/** Continues an upload. */
export function patch(
  server: UploadServer,
  path: string,
  offset: number,
  body: BodyInit,
  headers: Record<string, string> = {},
): Promise<Response> {
  return tus(
    server,
    'PATCH',
    path,
    { ...BYTES, 'upload-offset': String(offset), ...headers },
    body,
  );
}

/** Where an upload stands, as a client that resumes learns it. */
export async function offsetOf(server: UploadServer, path: string): Promise<number> {
  const response = await tus(server, 'HEAD', path);
  if (response.status !== 200) throw new Error(`HEAD answered ${response.status}`);
  return Number(response.headers.get('upload-offset'));
}

export function blobOf(path: string): string {
  return path.slice('/uploads/'.length);
}

export function rowOf({ db }: UploadServer, path: string): Promise<StoredFile | undefined> {
  return db.selectFrom('file').selectAll().where('blob', '=', blobOf(path)).executeTakeFirst();
}

/** All rows and blobs there are. */
export async function traces({ db, dataDir }: UploadServer): Promise<string[]> {
  const rows = await db.selectFrom('file').select('key').execute();
  return [...rows.map(({ key }) => key), ...(await readdir(join(dataDir, 'blobs')))];
}
