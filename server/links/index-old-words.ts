import type { Database } from '../database/tables.ts';
import { transaction } from '../database/transaction.ts';
import { enqueue } from '../outbox/jobs.ts';
import { indexWords } from './index-words.ts';

/** Links of one transaction: meanwhile, SQLite lets nobody else write. */
const INDEXED_AT_ONCE = 50;

/**
 * Makes links findable that were written when texts were cut into words in another way: some of them,
 * and then those behind.
 * @param after the last id that was indexed, '' at first
 */
export async function indexOldWords(
  { db, now }: { db: Database; now: () => number },
  after: string,
): Promise<void> {
  await transaction(db, async (trx) => {
    const links = await trx
      .selectFrom('link')
      .where('id', '>', after)
      .orderBy('id')
      .limit(INDEXED_AT_ONCE)
      .select(['id', 'title', 'description', 'deleted_at'])
      .execute();
    // What was deleted has no words.
    for (const link of links) if (link.deleted_at === null) await indexWords(trx, link);
    const last = links.at(-1);
    if (last) await enqueue(trx, 'index-old-words', { after: last.id }, now());
  });
}
