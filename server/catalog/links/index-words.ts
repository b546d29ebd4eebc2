import { sql } from 'kysely';
import { prepare } from '../../ground/database/prepare.ts';
import type { Database } from '../../ground/database/tables.ts';
import { MAX_CANDIDATES } from './candidates.ts';
import type { Link } from './tables.ts';

/**
 * The number of different words that a link is found by, starting with the title's. Hardly any
 * readable text has as many; without a limit, one in Chinese could have 2,000.
 */
const MAX_WORDS = 800;
/**
 * Of all these words together: each search reads them for every link it examines. A text of 2,000
 * characters reaches this if nearly all take three bytes and no word repeats; but some characters
 * stand for eighteen others, and a text of those would be ten times as long.
 */
export const MAX_LINE_BYTES = 6 * 1024;

const writeLine = prepare((db, linkId: string, line: string) =>
  db
    .insertInto('link_words')
    .values({ link_id: linkId, words: line })
    .onConflict((conflict) => conflict.column('link_id').doUpdateSet({ words: line })),
);

/**
 * Makes a link findable by its public words, and no longer by its former ones, in the transaction
 * that writes it.
 */
export async function indexWords(
  db: Database,
  { id, title, description }: Pick<Link, 'id' | 'title' | 'description'>,
  { isNew = false } = {},
): Promise<void> {
  const words = wordsToKeep(wordsToIndex([title ?? '', description ?? '']));
  const known = isNew
    ? undefined
    : await db
        .selectFrom('link_words')
        .select('words')
        .where('link_id', '=', id)
        .executeTakeFirst();
  const line = words.size > 0 ? ` ${[...words].join(' ')} ` : '';
  if (line === (known?.words ?? '')) return;
  await writeLine(db, id, line);
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
const wordsOf = (line: string) => line.split(' ').filter((word) => word !== '');

/** Words per statement: databases bind a limited number of values. */
const COUNTED_AT_ONCE = 1_000;

/**
 * Counts in how many more or fewer (negative) links each word occurs, in the transaction that
 * writes the links. A word in more than MAX_CANDIDATES links is not counted any further, so that
 * its links need not wait for each other.
 */
async function countWords(db: Database, changes: Map<string, number>): Promise<void> {
  // In one order, so that two transactions never wait for each other.
  const words = [...changes.keys()].sort();
  for (let start = 0; start < words.length; start += COUNTED_AT_ONCE) {
    const batch = words.slice(start, start + COUNTED_AT_ONCE);
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

/** Links whose words are held in memory at once. */
const FORGOTTEN_AT_ONCE = 500;

/** Removes the words of deleted links from the search, in the transaction that deletes them. */
export async function forgetWords(db: Database, linkIds: string[]): Promise<void> {
  const changes = new Map<string, number>();
  for (let start = 0; start < linkIds.length; start += FORGOTTEN_AT_ONCE) {
    const batch = linkIds.slice(start, start + FORGOTTEN_AT_ONCE);
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

/**
 * Scripts that put no space between words: there each character is a word. The marks of length and of
 * closing belong to no script, and stand between their letters.
 */
const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u30fc\u3006\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{Emoji_Presentation}\p{Extended_Pictographic}`;
const LETTERS = String.raw`[[\p{L}\p{M}\p{N}]--[[${UNSPACED}]--\p{M}]]+`;
const WORD = new RegExp(String.raw`[[${UNSPACED}]--\p{M}]\p{M}*|${LETTERS}`, 'gv');
/** "e-book", "don't" */
const COMPOUND = new RegExp(String.raw`${LETTERS}(?:[\-\u2010'’_]${LETTERS})+`, 'gv');
const JOINTS = /[-\u2010'’_]/;
/** Accents and vowel points that are left out in writing; in other scripts a mark is a letter. */
const ACCENTS = /[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]/g;
/** What says how a sign is drawn: as a picture, as text, on a key. */
const SELECTORS = /[\ufe0e\ufe0f\u20e3]/g;
/** Letters that Unicode does not decompose, as people without them on the keyboard write them. */
const STROKES: Record<string, string> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ß: 'ss',
};
/** And as they are written out in German and the languages of the north, or left bare. */
const WRITTEN_OUT: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' };
const BARE: Record<string, string> = { æ: 'a', œ: 'o' };
/** Longer words are distinguished by their beginning only. */
const MAX_WORD_LENGTH = 40;
/** Letters of a part that is no word by itself, as in e-book, T-shirt and don't. */
const SHORT_PART = 2;

/** Without case and accents. */
function fold(text: string): string {
  return (
    text
      .normalize('NFKD')
      // Both: ß only has the capital SS, and a sigma at the end is another one.
      .toUpperCase()
      .toLowerCase()
      .replaceAll('ς', 'σ')
      .normalize('NFKD')
      .replace(ACCENTS, '')
      .replace(SELECTORS, '')
      .replace(/\p{Cf}/gu, '')
      .replace(/[øłđðħŧŋæœþß]/g, (letter) => STROKES[letter] ?? letter)
      .normalize('NFKC')
  );
}

const cut = (word: string) => [...word].slice(0, MAX_WORD_LENGTH).join('');
const split = (folded: string) => (folded.match(WORD) ?? []).map(cut);
const join = (compound: string) => compound.split(JOINTS).join('');

/**
 * The words that a text is looked for by, in order: "Łódź's CAFÉ" -> lodzs, cafe. They consist of letters,
 * marks and digits alone, whatever the text holds.
 */
export function wordsToFind(text: string): string[] {
  const isJoined = (compound: string) =>
    compound.split(JOINTS).some((part) => [...part].length <= SHORT_PART);
  return split(
    fold(text).replace(COMPOUND, (compound) => (isJoined(compound) ? join(compound) : compound)),
  );
}

/** The words that texts are found by, as people may type them: those that are written first. */
export function wordsToIndex(texts: string[]): string[] {
  const folded = texts.map(fold);
  const compounds = folded.flatMap((text) => text.match(COMPOUND) ?? []);
  const others = texts.flatMap((text) => {
    const letters = text.normalize('NFC').toLowerCase();
    return [WRITTEN_OUT, BARE].map((spelling) =>
      letters.replace(/[äöüåøæœ]/g, (letter) => spelling[letter] ?? letter),
    );
  });
  return [
    ...folded.flatMap(split),
    ...compounds.map(join).map(cut),
    ...others.map(fold).flatMap(split),
  ];
}
