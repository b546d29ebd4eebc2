import type { FastifyRequest } from 'fastify';
import type { Viewer } from '../../domain/accounts/viewer.ts';
import type { FileStore } from '../../domain/files/file-store.ts';
import type { Database } from '../../domain/tables.ts';

export interface UploadDeps {
  db: Database;
  store: FileStore;
  findViewer(request: FastifyRequest): Promise<Viewer>;
  maxFileBytes: number;
  /** Of all files of an account, uploads that are open included. */
  accountQuotaBytes: number;
  /** @throws when this creator opens uploads too fast */
  allowUpload(userId: string): Promise<unknown>;
  /** UTC milliseconds. */
  now(): number;
}
