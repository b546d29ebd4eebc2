import type { Database } from '../../ground/database/tables.ts';
import {
  type Candidates,
  linksWithWords,
  MAX_CANDIDATES,
  type SearchWord,
} from '../links/candidates.ts';
import { offeredLinks } from './list-expressions.ts';
import type { Listing } from './listing.ts';

/**
 * Among which all the links of a listing are; null when no index tells them apart from too many
 * others.
 */
export async function findCandidates(db: Database, listing: Listing): Promise<Candidates | null> {
  const { words } = listing;
  const rare = await findRareWords(db, words);
  if (rare.length > 0) {
    return { links: linksWithWords(db, rare), words: words.filter((word) => !rare.includes(word)) };
  }
  const prices = listing.others.filter(
    ({ column, operator }) => column === 'price_cents' && operator !== '!=',
  );
  if (prices.length === 0) return null;
  const priced = offeredLinks(db, listing, [...listing.keys, ...prices])
    .orderBy('link.price_cents')
    .orderBy('link.created_at')
    .orderBy('link.id');
  const oneTooMany = await priced
    .select('link.id')
    .offset(MAX_CANDIDATES)
    .limit(1)
    .executeTakeFirst();
  if (oneTooMany) return null;
  return { links: priced.select('link.id as link_id').limit(MAX_CANDIDATES), words };
}

/** Words with a common prefix that are examined one by one. */
const MAX_ENDINGS = 200;
const LAST_CHARACTER = '\u{10ffff}';

/** The words of a search that occur in no more links than a page examines, the rarest first. */
async function findRareWords(db: Database, words: SearchWord[]): Promise<SearchWord[]> {
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
