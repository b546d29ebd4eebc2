import { isFull } from '../cannot-store.ts';
import { DomainError } from '../domain-error.ts';

/**
 * The database usually shares the disk with the files.
 * @throws DomainError STORAGE_FULL in place of what the disk or the database says when full
 */
export async function refuseWhenFull<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (!isFull(error)) throw error;
    const message = 'The server has no room left for this file.';
    throw new DomainError('STORAGE_FULL', message, { cause: error });
  }
}
