import { z } from 'zod';
import { findFinishedFile } from '../../files/queries.ts';
import type { Database } from '../../ground/database/tables.ts';
import type { Signer } from '../../ground/lib/signer.ts';
import type { DownloadTicket } from './download-url.ts';
import { countBytes } from './record-delivery.ts';

/** A line of the log that deploy/nginx.conf lets nginx write. */
const LINE = z.object({
  method: z.literal('GET'),
  uri: z.string(),
  status: z.union([z.literal(200), z.literal(206)]),
  bytes: z.number().int().positive(),
  content_range: z.string(),
});

/**
 * Counts what nginx sent of files that were handed over to it. Reading a line again changes
 * nothing, because each byte counts once.
 * @param lines JSON, one response each
 * @returns how many responses were counted, and how many lines were none of a purchase's download
 */
export async function importDeliveries(
  db: Database,
  signer: Pick<Signer<DownloadTicket>, 'read'>,
  lines: AsyncIterable<string>,
): Promise<{ counted: number; skipped: number }> {
  const result = { counted: 0, skipped: 0 };
  for await (const line of lines) {
    if (await importLine(db, signer, line)) result.counted += 1;
    else result.skipped += 1;
  }
  return result;
}

async function importLine(
  db: Database,
  signer: Pick<Signer<DownloadTicket>, 'read'>,
  line: string,
): Promise<boolean> {
  const read = LINE.safeParse(parse(line));
  if (!read.success) return false;
  const { uri, status, bytes, content_range: range } = read.data;
  const [, token = ''] = /^\/download\/([^/?]+)/.exec(uri) ?? [];
  const ticket = signer.read(token);
  if (!ticket || !('fileKey' in ticket) || ticket.right.kind !== 'grant') return false;
  const file = await findFinishedFile(db, ticket.fileKey);
  // Several ranges at once are one response whose parts are not told.
  const first = status === 200 ? 0 : Number(/^bytes (\d+)-/.exec(range)?.[1] ?? Number.NaN);
  if (!file || Number.isNaN(first)) return false;
  const end = Math.min(first + bytes, file.size_bytes);
  const { grantId } = ticket.right;
  // A test purchase may have been removed since.
  const grant = db.selectFrom('access_grant').where('id', '=', grantId).select('id');
  if (first >= end || !(await grant.executeTakeFirst())) return false;
  await countBytes(db, grantId, file, [first, end]);
  return true;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
