import type { Database } from '../../tables.ts';
import { MAX_CANDIDATES, type SearchWord } from './candidates.ts';

/** Words with a common beginning that are looked at one by one. */
const MAX_ENDINGS = 200;
const LAST_CHARACTER = '\u{10ffff}';

/** The words of a search that no more links hold than a page looks at, the rarest first. */
export async function findRareWords(db: Database, words: SearchWord[]): Promise<SearchWord[]> {
  const counts = await Promise.all([
    countWhole(
      db,
      words.filter(({ prefix }) => !prefix),
    ),
    ...words.filter(({ prefix }) => prefix).map((word) => countBeginning(db, word)),
  ]);
  const rare = counts.flat().filter(({ links }) => links <= MAX_CANDIDATES);
  rare.sort((one, other) => one.links - other.links);
  return rare.map(({ word }) => word);
}

async function countWhole(db: Database, words: SearchWord[]) {
  if (words.length === 0) return [];
  const known = await db
    .selectFrom('search_word')
    .selectAll()
    .where(
      'word',
      'in',
      words.map(({ word }) => word),
    )
    .execute();
  const counts = new Map(known.map(({ word, links }) => [word, links]));
  return words.map((word) => ({ word, links: counts.get(word.word) ?? 0 }));
}

async function countBeginning(db: Database, word: SearchWord) {
  const endings = await db
    .selectFrom('search_word')
    .select('links')
    .where('word', '>=', word.word)
    .where('word', '<', word.word + LAST_CHARACTER)
    .orderBy('word')
    .limit(MAX_ENDINGS + 1)
    .execute();
  const sum = endings.reduce((total, { links }) => total + links, 0);
  return { word, links: endings.length > MAX_ENDINGS ? Number.POSITIVE_INFINITY : sum };
}
