import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll } from 'vitest';
import { migrate } from '../../adapters/database/migrate.ts';
import { openSqlite } from '../../adapters/database/sqlite.ts';
import { openDiskStore } from '../../adapters/storage/disk/disk-store.ts';
import type { FileStore } from '../../domain/files/file-store.ts';
import type { Database } from '../../domain/tables.ts';
import { toProblem } from '../error-mapping.ts';
import { registerUploads } from '../uploads.ts';

export interface UploadServer {
  app: FastifyInstance;
  origin: string;
  dataDir: string;
  db: Database;
  store: FileStore;
}

interface Options {
  maxFileBytes?: number;
  changeStore?(store: FileStore): FileStore;
}

/** The upload routes alone. Who asks is whom the header x-user names. */
export async function startUploadServer(options: Options = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'padlink-uploads-'));
  const db = openSqlite(join(dataDir, 'padlink.sqlite'));
  await migrate(db);
  const disk = await openDiskStore(dataDir);
  const store = options.changeStore?.(disk) ?? disk;
  const app = Fastify({ forceCloseConnections: true });
  app.setErrorHandler(async (error, _request, reply) => {
    const problem = toProblem(error);
    return reply.status(problem.status).type('application/problem+json').send(problem);
  });
  registerUploads(app, {
    db,
    store,
    async findViewer({ headers }) {
      const id = headers['x-user'];
      const user =
        typeof id === 'string' ? { id, email: `${id}@example.com`, firstName: id } : null;
      return { authority: user ? 'creator' : 'none', user, claimHash: null };
    },
    maxFileBytes: options.maxFileBytes ?? 1024 ** 3,
    allowUpload: async () => {},
    now: Date.now,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return {
    ...{ app, dataDir, db, store },
    origin: `http://127.0.0.1:${port}`,
    async stop() {
      await app.close();
      await db.destroy();
      rmSync(dataDir, { recursive: true });
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

/** Opens an upload and gives its path. */
export async function create(
  server: UploadServer,
  size: number,
  values: Record<string, string> = { filename: 'a.bin' },
): Promise<string> {
  const response = await tus(server, 'POST', '/uploads', {
    'upload-length': String(size),
    'upload-metadata': metadata(values),
  });
  const location = response.headers.get('location');
  if (!location) throw new Error(`Refused: ${await response.text()}`);
  return location;
}
