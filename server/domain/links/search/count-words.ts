import { sql } from 'kysely';
import type { Database } from '../../tables.ts';
import { MAX_CANDIDATES } from './candidates.ts';

/** Words of one statement: databases bind a limited number of values. */
const BATCH = 1_000;

/**
 * Counts in how many more or fewer links (below zero) each word is, in the transaction that writes
 * the links. A word of more than MAX_CANDIDATES links is not counted any further: its links need
 * not wait for each other.
 */
export async function countWords(db: Database, changes: Map<string, number>): Promise<void> {
  // In one order, so that two transactions never wait for each other.
  const words = [...changes.keys()].sort();
  for (let start = 0; start < words.length; start += BATCH) {
    const batch = words.slice(start, start + BATCH);
    await countBatch(
      db,
      batch.map((word) => ({ word, links: changes.get(word) ?? 0 })),
    );
  }
}

async function countBatch(db: Database, changes: { word: string; links: number }[]) {
  const words = changes.map(({ word }) => word);
  const known = await db.selectFrom('search_word').selectAll().where('word', 'in', words).execute();
  const counts = new Map(known.map(({ word, links }) => [word, links]));
  const counted = changes.filter(
    ({ word, links }) => (counts.get(word) ?? (links > 0 ? 0 : Infinity)) <= MAX_CANDIDATES,
  );
  if (counted.length === 0) return;
  const sum = sql`search_word.links + excluded.links`;
  await db
    .insertInto('search_word')
    .values(counted)
    .onConflict((conflict) =>
      conflict.column('word').doUpdateSet({
        links: sql<number>`case when search_word.links > ${sql.lit(MAX_CANDIDATES)}
          then search_word.links when ${sum} > 0 then ${sum} else 0 end`,
      }),
    )
    .execute();
  if (counted.every(({ links }) => links > 0)) return;
  await db.deleteFrom('search_word').where('word', 'in', words).where('links', '=', 0).execute();
}
