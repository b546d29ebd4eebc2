import { DomainError } from '../domain-error.ts';
import type { Database } from '../tables.ts';
import type { FileStore } from './file-store.ts';
import { releaseLinkId } from './reserve-link-id.ts';

/**
 * Forgets an unfinished upload that nobody else works on. The bytes go first: the database often
 * shares the disk, and on a full one needs their room to forget the row.
 * @throws DomainError FORBIDDEN when it is finished, because a link may sell it
 */
export async function abandonUpload(
  db: Database,
  store: Pick<FileStore, 'remove'>,
  blob: string,
): Promise<void> {
  const finished = await db
    .selectFrom('file')
    .select('key')
    .where('blob', '=', blob)
    .where('finished_at', 'is not', null)
    .executeTakeFirst();
  if (finished) throw new DomainError('FORBIDDEN', 'A finished upload cannot be deleted.');
  await store.remove(blob);
  await db.transaction().execute(async (transaction) => {
    const row = await transaction
      .deleteFrom('file')
      .where('blob', '=', blob)
      .where('finished_at', 'is', null)
      .returning('link_id')
      .executeTakeFirst();
    if (row) await releaseLinkId(transaction, row.link_id);
  });
}
