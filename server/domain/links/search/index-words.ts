import type { Database } from '../../tables.ts';
import type { Link } from '../tables.ts';
import { MAX_CANDIDATES } from './candidates.ts';
import { splitWords } from './split-words.ts';

/**
 * Makes a link found by the words that everybody may read of it, in the transaction that writes it.
 * Words are never taken out of the count: it says how much reading a word costs at most.
 */
export async function indexWords(
  db: Database,
  { id, title, description }: Pick<Link, 'id' | 'title' | 'description'>,
): Promise<void> {
  const words = new Set([title, description].flatMap((text) => splitWords(text ?? '')));
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
  const before = new Set(known?.words.split(' '));
  await countWords(
    db,
    [...words].filter((word) => !before.has(word)),
  );
}

async function countWords(db: Database, words: string[]): Promise<void> {
  if (words.length === 0) return;
  const common = await db
    .selectFrom('search_word')
    .select('word')
    .where('word', 'in', words)
    .where('links', '>', MAX_CANDIDATES)
    .execute();
  const settled = new Set(common.map(({ word }) => word));
  // In one order, so that two transactions never wait for each other.
  const rare = words.filter((word) => !settled.has(word)).sort();
  if (rare.length === 0) return;
  await db
    .insertInto('search_word')
    .values(rare.map((word) => ({ word, links: 1 })))
    .onConflict((conflict) =>
      conflict.column('word').doUpdateSet((eb) => ({ links: eb('search_word.links', '+', 1) })),
    )
    .execute();
}
