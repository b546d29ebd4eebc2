import { SENTENCES } from '../../contract/texts.ts';
import type { Access } from '../access/access.ts';
import { type FileAccess, fileAccessStands } from '../access/file-access.ts';
import type { Database } from '../database/tables.ts';
import { findFinishedFile } from '../files/queries.ts';
import type { StoredFile } from '../files/tables.ts';
import { DomainError } from '../lib/domain-error.ts';
import type { Signer } from '../lib/signer.ts';

/** What a download URL carries: one file, by one right, until a time (UTC ms). */
export interface DownloadTicket extends FileAccess {
  fileKey: string;
  expiresAt: number;
}

/** Slowest line served: 50 KiB/s; never shorter than 10 minutes nor longer than 3 hours. */
const SLOWEST_BYTES_PER_MS = (50 * 1024) / 1000;
const SHORTEST_MS = 10 * 60 * 1000;
const LONGEST_MS = 3 * 60 * 60 * 1000;

/** A path that serves the file to its bearer until it expires. */
export function signDownload(
  signer: Signer<DownloadTicket>,
  { linkId, access }: FileAccess,
  file: StoredFile,
  now: number,
): string {
  const lifetime = Math.min(
    Math.max(file.size_bytes / SLOWEST_BYTES_PER_MS, SHORTEST_MS),
    LONGEST_MS,
  );
  const expiresAt = now + Math.ceil(lifetime);
  const token = signer.sign({ linkId, fileKey: file.key, access, expiresAt });
  return `/download/${token}/${encodeURIComponent(file.name)}`;
}

export interface RedeemedDownload {
  file: StoredFile;
  access: Access;
}

/**
 * Checks a ticket again at each request: its time, its right, its file.
 * @throws DomainError DOWNLOAD_EXPIRED, ACCESS_SUSPENDED, ACCESS_ENDED
 */
export async function redeemDownload(
  db: Database,
  ticket: DownloadTicket,
  now: number,
): Promise<RedeemedDownload> {
  const { linkId } = ticket;
  if (ticket.expiresAt <= now) {
    throw new DomainError(
      'DOWNLOAD_EXPIRED',
      'Download links work for a limited time. Open the page it came from to get a new one.',
      { linkId },
    );
  }
  const file = await findFinishedFile(db, ticket.fileKey);
  if (!file || !(await fileAccessStands(db, ticket, file))) {
    if (file && ticket.access.kind === 'grant') {
      const rests = await fileAccessStands(db, ticket, file, 'suspended');
      if (rests) throw new DomainError('ACCESS_SUSPENDED', SENTENCES.accessOnHold, { linkId });
    }
    throw new DomainError(
      'ACCESS_ENDED',
      'This file can no longer be downloaded here; its purchase may have been refunded.',
      { linkId },
    );
  }
  return { file, access: ticket.access };
}
