import { dialectOf } from '../../ground/database/dialect.ts';
import type { DatabaseContext } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';
import { indexWords } from './index-words.ts';

/** Links of one run of the job. */
const INDEXED_AT_ONCE = 50;

/**
 * Makes links findable that were written when texts were cut into words in another way: some of them,
 * and then those behind. Each has a transaction of its own, as where its text is changed.
 * @param after the last id that was indexed, '' at first
 */
export async function indexOldWords({ db, now }: DatabaseContext, after: string): Promise<void> {
  const links = await db
    .selectFrom('link')
    .where('id', '>', after)
    .orderBy('id')
    .limit(INDEXED_AT_ONCE)
    .select('id')
    .execute();
  for (const { id } of links) {
    await transaction(db, async (trx) => {
      // What was deleted has no words.
      const link = await trx
        .selectFrom('link')
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .select(['id', 'title', 'description'])
        .$if(dialectOf(trx) === 'postgres', (query) => query.forNoKeyUpdate())
        .executeTakeFirst();
      if (link) await indexWords(trx, link);
    });
  }
  const last = links.at(-1);
  if (last) await enqueue(db, 'index-old-words', { after: last.id }, now());
}
