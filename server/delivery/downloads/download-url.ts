import { z } from 'zod';
import type { ErrorCode } from '../../../contract/error-codes.ts';
import type { Said } from '../../../contract/fact.ts';
import { lastPart } from '../../../contract/links.ts';
import { nameLink } from '../../../contract/name-link.ts';
import { SENTENCES } from '../../../contract/texts.ts';
import { findLink } from '../../catalog/links/queries.ts';
import type { Link } from '../../catalog/links/tables.ts';
import { findFinishedFile } from '../../files/queries.ts';
import { sanitizeFileName } from '../../files/start-upload.ts';
import type { StoredFile } from '../../files/tables.ts';
import type { Database, DatabaseContext } from '../../ground/database/tables.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import type { Signer } from '../../ground/lib/signer.ts';
import type { Access } from '../../selling/access/access.ts';
import {
  type AccessibleFile,
  type AccessibleVersion,
  type FileRight,
  filesOfVersions,
  worthOfFileRight,
  worthOfVersionRight,
} from '../../selling/access/file-access.ts';

const RIGHT = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('owner'), userId: z.string() }),
  z.object({ kind: z.literal('operator') }),
  z.object({ kind: z.literal('grant'), grantId: z.string() }),
  z.object({ kind: z.literal('free') }),
]);

/** What a download URL carries: one file, by one right, until a time (UTC ms). */
type FileTicket = z.infer<typeof FILE_TICKET>;
const FILE_TICKET = z.object({
  /** Null for an own upload. */
  linkId: z.string().nullable(),
  right: RIGHT,
  fileKey: z.string(),
  /** Shown by the browser if its type may be, in place of being downloaded. */
  open: z.boolean().optional(),
  expiresAt: z.number(),
});

/** The same for all files of some versions, as one archive. */
type ArchiveTicket = z.infer<typeof ARCHIVE_TICKET>;
const ARCHIVE_TICKET = z.object({
  linkId: z.string(),
  versions: z.array(z.object({ number: z.number(), right: RIGHT })).min(1),
  expiresAt: z.number(),
});

export type DownloadTicket = FileTicket | ArchiveTicket;
export const DOWNLOAD_TICKET = z.union([FILE_TICKET, ARCHIVE_TICKET]);

/** A path that serves the file to its bearer until it expires. */
export function signDownload(
  signer: Signer<DownloadTicket>,
  { linkId, right }: FileRight,
  file: StoredFile,
  { now, open }: { now: number; open?: boolean },
): string {
  const expiresAt = expiryOf(file.size_bytes, now);
  const token = signer.sign({ linkId, fileKey: file.key, right, ...(open && { open }), expiresAt });
  return `/download/${token}/${encodeURIComponent(lastPart(file.name))}`;
}

/** A path that serves all files of these versions as one archive to its bearer until it expires. */
export function signArchive(
  signer: Signer<DownloadTicket>,
  link: Link,
  { versions, files }: { versions: AccessibleVersion[]; files: AccessibleFile[] },
  now: number,
): string {
  const bytes = files.reduce((sum, { file }) => sum + file.size_bytes, 0);
  const token = signer.sign({
    linkId: link.id,
    versions: versions.map(({ number, right }) => ({ number, right })),
    expiresAt: expiryOf(bytes, now),
  });
  return `/download/${token}/${encodeURIComponent(nameArchive(link))}`;
}

const nameArchive = (link: Link) => sanitizeFileName(`${nameLink(link)}.zip`);

/** Slowest line served: 50 KiB/s; never shorter than 10 minutes nor longer than 3 hours. */
const SLOWEST_BYTES_PER_MS = (50 * 1024) / 1000;
const SHORTEST_MS = 10 * 60 * 1000;
const LONGEST_MS = 3 * 60 * 60 * 1000;

function expiryOf(bytes: number, now: number): number {
  return now + Math.ceil(Math.min(Math.max(bytes / SLOWEST_BYTES_PER_MS, SHORTEST_MS), LONGEST_MS));
}

interface RedeemedFile extends AccessibleFile {
  kind: 'file';
  open: boolean;
}

interface RedeemedArchive {
  kind: 'archive';
  name: string;
  files: AccessibleFile[];
}

type RedeemedDownload =
  | RedeemedFile
  | RedeemedArchive
  /** DOWNLOAD_EXPIRED, ACCESS_SUSPENDED or ACCESS_ENDED. */
  | { kind: 'refused'; refusal: DomainError };

/** Checks a ticket again at each request: its time, its right, its files. */
export async function redeemDownload(
  { db, now }: DatabaseContext,
  ticket: DownloadTicket,
): Promise<RedeemedDownload> {
  const refuse = (code: ErrorCode, why: Said): RedeemedDownload => ({
    kind: 'refused',
    refusal: new DomainError(code, why, { linkId: ticket.linkId }),
  });
  if (ticket.expiresAt <= now()) return refuse('DOWNLOAD_EXPIRED', EXPIRED);
  const found = 'versions' in ticket ? await findArchive(db, ticket) : await findFile(db, ticket);
  if (found === 'suspended') return refuse('ACCESS_SUSPENDED', SENTENCES.accessOnHold);
  if (found === 'none') return refuse('ACCESS_ENDED', ENDED);
  return found;
}

type Refused = Exclude<Access['kind'], 'granted'>;

async function findFile(db: Database, ticket: FileTicket): Promise<RedeemedFile | Refused> {
  const { fileKey, right, open = false } = ticket;
  const file = await findFinishedFile(db, fileKey);
  const worth = file ? await worthOfFileRight({ db }, ticket, file) : 'none';
  if (!file || worth !== 'granted') return worth === 'suspended' ? worth : 'none';
  return { kind: 'file', file, right, open };
}

async function findArchive(
  db: Database,
  { linkId, versions }: ArchiveTicket,
): Promise<RedeemedArchive | Refused> {
  const link = await findLink(db, linkId);
  if (!link) return 'none';
  for (const version of versions) {
    const worth = await worthOfVersionRight({ db }, link, version);
    if (worth !== 'granted') return worth;
  }
  const files = await filesOfVersions(db, link, versions);
  return files.length > 0 ? { kind: 'archive', name: nameArchive(link), files } : 'none';
}

const EXPIRED =
  'Download links work for a limited time. Open the page it came from to get a new one.';
const ENDED =
  'This file can no longer be downloaded here. It may have been replaced or removed, or its purchase refunded.';
