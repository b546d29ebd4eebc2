import { DomainError } from '../domain-error.ts';

/** SQLITE_FULL and PostgreSQL's disk_full: the database usually shares the disk with the files. */
const SQLITE_FULL = 13;
const FULL_CODES = new Set<unknown>(['ENOSPC', 'EDQUOT', '53100']);

/** @throws DomainError STORAGE_FULL in place of what the disk or the database says when full */
export async function refuseWhenFull<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    const { code, errcode } = error as { code?: unknown; errcode?: unknown };
    if (!FULL_CODES.has(code) && errcode !== SQLITE_FULL) throw error;
    const message = 'The server has no room left for this file.';
    throw new DomainError('STORAGE_FULL', message, { cause: error });
  }
}
