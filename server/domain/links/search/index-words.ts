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
 * Makes a link found by the words that everybody may read of it, and no longer by those it held
 * before, in the transaction that writes it.
 */
export async function indexWords(
  db: Database,
  { id, title, description }: Pick<Link, 'id' | 'title' | 'description'>,
): Promise<void> {
  const all = new Set([title, description].flatMap((text) => splitWords(text ?? '')));
  const words = new Set([...all].slice(0, MAX_WORDS));
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

/** The words of a line of link_words. */
export const wordsOf = (line: string) => line.split(' ').filter((word) => word !== '');
