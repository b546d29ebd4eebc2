import type { Database } from '../../tables.ts';
import { countWords } from './count-words.ts';
import { wordsOf } from './index-words.ts';

/** Links whose words are held in memory at once. */
const BATCH = 500;

/** Takes the words of deleted links out of the search, in the transaction that deletes them. */
export async function forgetWords(db: Database, linkIds: string[]): Promise<void> {
  const changes = new Map<string, number>();
  for (let start = 0; start < linkIds.length; start += BATCH) {
    const batch = linkIds.slice(start, start + BATCH);
    const lines = await db
      .selectFrom('link_words')
      .select('words')
      .where('link_id', 'in', batch)
      .execute();
    for (const word of lines.flatMap(({ words }) => wordsOf(words))) {
      changes.set(word, (changes.get(word) ?? 0) - 1);
    }
    await db.updateTable('link_words').set({ words: '' }).where('link_id', 'in', batch).execute();
  }
  await countWords(db, changes);
}
