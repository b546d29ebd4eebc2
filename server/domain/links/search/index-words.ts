import type { Database } from '../../tables.ts';
import type { Link } from '../tables.ts';
import { countWords } from './count-words.ts';
import { splitWords } from './split-words.ts';

/**
 * Different words that a link is found by, the title's first. Hardly a text that is meant to be
 * read has as many; without a bound, one in Chinese could be 2,000.
 */
const MAX_WORDS = 800;
/**
 * Of all these words together: each search reads them of every link it looks at. A text of 2,000
 * characters has as many where nearly each is three bytes and no word comes twice; but there are
 * characters that stand for eighteen others, and a text of those would be ten times as long.
 */
export const MAX_LINE_BYTES = 6 * 1024;

/**
 * Makes a link found by the words that everybody may read of it, and no longer by those it held
 * before, in the transaction that writes it.
 */
export async function indexWords(
  db: Database,
  { id, title, description }: Pick<Link, 'id' | 'title' | 'description'>,
): Promise<void> {
  const words = wordsToKeep([title, description].flatMap((text) => splitWords(text ?? '')));
  const known = await db
    .selectFrom('link_words')
    .select('words')
    .where('link_id', '=', id)
    .executeTakeFirst();
  const line = words.size > 0 ? ` ${[...words].join(' ')} ` : '';
  if (line === (known?.words ?? '')) return;
  await db
    .insertInto('link_words')
    .values({ link_id: id, words: line })
    .onConflict((conflict) => conflict.column('link_id').doUpdateSet({ words: line }))
    .execute();
  const before = new Set(wordsOf(known?.words ?? ''));
  await countWords(
    db,
    new Map([
      ...[...words.difference(before)].map((word) => [word, 1] as const),
      ...[...before.difference(words)].map((word) => [word, -1] as const),
    ]),
  );
}

/** The different ones, as far as they fit in a line. */
function wordsToKeep(all: string[]): Set<string> {
  const words = new Set<string>();
  let bytes = 1;
  for (const word of new Set(all)) {
    bytes += Buffer.byteLength(word) + 1;
    if (words.size === MAX_WORDS || bytes > MAX_LINE_BYTES) break;
    words.add(word);
  }
  return words;
}

/** The words of a line of link_words. */
export const wordsOf = (line: string) => line.split(' ').filter((word) => word !== '');
