import { DomainError } from '../domain-error.ts';
import { formatBytes } from './format-bytes.ts';

/** @throws DomainError FILE_EMPTY, FILE_TOO_LARGE */
export function validateFileSize(sizeBytes: number, maxFileBytes: number): void {
  if (sizeBytes === 0) {
    throw new DomainError('FILE_EMPTY', 'The file is empty (0 bytes). Choose a file with content.');
  }
  if (sizeBytes > maxFileBytes) {
    throw new DomainError(
      'FILE_TOO_LARGE',
      `The file has ${formatBytes(sizeBytes)}; at most ${formatBytes(maxFileBytes)} are allowed.`,
    );
  }
}
