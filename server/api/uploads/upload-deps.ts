import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { Viewer } from '../../domain/accounts/viewer.ts';
import type { FileStore } from '../../domain/files/file-store.ts';
import type { Database } from '../../domain/tables.ts';

export interface UploadDeps {
  db: Database;
  store: FileStore;
  findViewer(request: FastifyRequest): Promise<Viewer>;
  maxFileBytes: number;
  /** UTC milliseconds. */
  now(): number;
  log: FastifyBaseLogger;
}
