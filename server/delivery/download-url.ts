import { z } from 'zod';
import type { ErrorCode } from '../../contract/error-codes.ts';
import { SENTENCES } from '../../contract/texts.ts';
import type { Right } from '../access/access.ts';
import { type FileRight, worthOfFileRight } from '../access/file-access.ts';
import type { Database } from '../database/tables.ts';
import { findFinishedFile } from '../files/queries.ts';
import type { StoredFile } from '../files/tables.ts';
import { DomainError } from '../lib/domain-error.ts';
import type { Signer } from '../lib/signer.ts';

/** What a download URL carries: one file, by one right, until a time (UTC ms). */
export interface DownloadTicket extends FileRight {
  fileKey: string;
  expiresAt: number;
}

export const DOWNLOAD_TICKET: z.ZodType<DownloadTicket> = z.object({
  linkId: z.string().nullable(),
  right: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('owner'), userId: z.string() }),
    z.object({ kind: z.literal('operator') }),
    z.object({ kind: z.literal('grant'), grantId: z.string() }),
    z.object({ kind: z.literal('free') }),
  ]),
  fileKey: z.string(),
  expiresAt: z.number(),
});

/** Slowest line served: 50 KiB/s; never shorter than 10 minutes nor longer than 3 hours. */
const SLOWEST_BYTES_PER_MS = (50 * 1024) / 1000;
const SHORTEST_MS = 10 * 60 * 1000;
const LONGEST_MS = 3 * 60 * 60 * 1000;

/** A path that serves the file to its bearer until it expires. */
export function signDownload(
  signer: Signer<DownloadTicket>,
  { linkId, right }: FileRight,
  file: StoredFile,
  now: number,
): string {
  const lifetime = Math.min(
    Math.max(file.size_bytes / SLOWEST_BYTES_PER_MS, SHORTEST_MS),
    LONGEST_MS,
  );
  const expiresAt = now + Math.ceil(lifetime);
  const token = signer.sign({ linkId, fileKey: file.key, right, expiresAt });
  return `/download/${token}/${encodeURIComponent(file.name)}`;
}

type RedeemedDownload =
  | { kind: 'valid'; file: StoredFile; right: Right }
  /** DOWNLOAD_EXPIRED, ACCESS_SUSPENDED or ACCESS_ENDED. */
  | { kind: 'refused'; refusal: DomainError };

/** Checks a ticket again at each request: its time, its right, its file. */
export async function redeemDownload(
  { db, now }: { db: Database; now: () => number },
  ticket: DownloadTicket,
): Promise<RedeemedDownload> {
  const refuse = (code: ErrorCode, why: string): RedeemedDownload => ({
    kind: 'refused',
    refusal: new DomainError(code, why, { linkId: ticket.linkId }),
  });
  if (ticket.expiresAt <= now()) return refuse('DOWNLOAD_EXPIRED', EXPIRED);
  const file = await findFinishedFile(db, ticket.fileKey);
  const worth = file ? await worthOfFileRight({ db }, ticket, file) : 'none';
  if (worth === 'suspended') return refuse('ACCESS_SUSPENDED', SENTENCES.accessOnHold);
  if (!file || worth === 'none') return refuse('ACCESS_ENDED', ENDED);
  return { kind: 'valid', file, right: ticket.right };
}

const EXPIRED =
  'Download links work for a limited time. Open the page it came from to get a new one.';
const ENDED = 'This file can no longer be downloaded here; its purchase may have been refunded.';
