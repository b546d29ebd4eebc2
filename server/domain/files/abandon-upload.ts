import { DomainError } from '../domain-error.ts';
import type { Database } from '../tables.ts';
import type { FileStore } from './file-store.ts';

/**
 * Forgets an unfinished upload and its bytes. The row goes first: a blob without a row is swept.
 * @throws DomainError FORBIDDEN when it is finished, because a link may sell it
 */
export async function abandonUpload(
  db: Database,
  store: Pick<FileStore, 'remove'>,
  blob: string,
): Promise<void> {
  await db.deleteFrom('file').where('blob', '=', blob).where('finished_at', 'is', null).execute();
  const finished = await db.selectFrom('file').select('key').where('blob', '=', blob).execute();
  if (finished.length > 0) {
    throw new DomainError('FORBIDDEN', 'A finished upload cannot be deleted.');
  }
  await store.remove(blob);
}
