import { DomainError } from '../domain-error.ts';
import type { FileStore } from './file-store.ts';

/**
 * Stays free of files, because a database without room on the same disk can neither sell nor sign
 * anybody in: so many hundredths of the disk, and at most so many bytes.
 */
export const FLOOR_PERCENT = 5;
export const FLOOR_BYTES = 256 * 1024 ** 2;

/** How many bytes of files the disk still takes; negative where the floor is reached. */
export async function measureRoom(store: Pick<FileStore, 'measureSpace'>): Promise<number> {
  const { free, total } = await store.measureSpace();
  return free - Math.min((total * FLOOR_PERCENT) / 100, FLOOR_BYTES);
}

/** @throws DomainError STORAGE_FULL with this message when the disk does not take so many bytes */
export async function requireRoom(
  store: Pick<FileStore, 'measureSpace'>,
  bytes: number,
  message: string,
): Promise<void> {
  if ((await measureRoom(store)) < bytes) throw new DomainError('STORAGE_FULL', message);
}
