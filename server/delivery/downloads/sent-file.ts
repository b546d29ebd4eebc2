import { isPdf, NoRoomError, type StampedCopies } from '../../catalog/links/stamp.ts';
import { sumBlob } from '../../files/check-file.ts';
import type { BlobReader, FileStore } from '../../files/file-store.ts';
import { prepare } from '../../ground/database/prepare.ts';
import type { Database } from '../../ground/database/tables.ts';
import type { AccessibleFile } from '../../selling/access/file-access.ts';

interface Context {
  db: Database;
  store: Pick<FileStore, 'openForReading'>;
  copies: StampedCopies;
  /** Told why a PDF goes out without its stamp. */
  unstamped(error: NoRoomError): void;
}

/** What is sent of a file: its own bytes, or those of a copy with its buyer's stamp. */
export interface SentFile extends AccessibleFile {
  /** Another one for other bytes; it must not be revealed. */
  blob: string;
  /** Bytes. */
  size: number;
  isCopy: boolean;
}

/**
 * What is sent of a file of a link: a stamped copy of a PDF where the link's owner wants it and it can
 * be made, or the file.
 * @throws StampsBusyError
 */
export async function chooseSent(
  { db, copies, unstamped }: Context,
  linkId: string | null,
  accessible: AccessibleFile,
): Promise<SentFile> {
  const { file, right } = accessible;
  const own = { ...accessible, blob: file.blob, size: file.size_bytes, isCopy: false };
  if (right.kind !== 'grant' || linkId === null || !isPdf(file)) return own;
  const [stamp] = await readStamp(db, right.grantId, linkId);
  if (!stamp) return own;
  const words = [stamp.email, stamp.id].filter((word) => word !== null).join(' · ');
  try {
    const copy = await copies.copyOf(file, words);
    return copy ? { ...accessible, blob: copy.name, size: copy.size, isCopy: true } : own;
  } catch (error) {
    // Nobody but the operator can make room: what was paid for is delivered all the same.
    if (!(error instanceof NoRoomError)) throw error;
    unstamped(error);
    return own;
  }
}

/** Whose address and which order stand on the pages; none where the link's files are sent as they are. */
const readStamp = prepare((db, grantId: string, linkId: string) =>
  db
    .selectFrom('access_grant')
    .innerJoin('purchase', 'purchase.id', 'access_grant.purchase_id')
    .innerJoin('link', (join) => join.on('link.id', '=', linkId))
    .where('access_grant.id', '=', grantId)
    .where('link.stamp', '=', 1)
    .select('purchase.id')
    // Mailboxes have letters that every font has.
    .select(({ fn }) =>
      fn.coalesce('gift_mailbox', 'gift_email', 'buyer_mailbox', 'buyer_email').as('email'),
    ),
);

export const openSent = (
  { store, copies }: Pick<Context, 'store' | 'copies'>,
  { isCopy, blob }: Pick<SentFile, 'isCopy' | 'blob'>,
): Promise<BlobReader> => (isCopy ? copies.open(blob) : store.openForReading(blob));

/** The sums of what is sent; null for what was on sale before files were summed. */
export async function sumSent(
  context: Pick<Context, 'store' | 'copies'>,
  sent: SentFile,
): Promise<{ sha256: string; crc32: number } | null> {
  if (sent.isCopy) return sumBlob({ openForReading: context.copies.open }, sent.blob);
  const { sha256, crc32 } = sent.file;
  return sha256 === null || crc32 === null ? null : { sha256, crc32 };
}
