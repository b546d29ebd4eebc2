import type { Database } from '../../tables.ts';
import { offeredLinks } from '../list-expressions.ts';
import type { Listing } from '../listing.ts';
import { type Candidates, linksWithWord, MAX_CANDIDATES } from './candidates.ts';
import { findRarestWord } from './rarest-word.ts';

/**
 * Among which all the links of a listing are; null when no index tells them apart from too many
 * others.
 */
export async function findCandidates(db: Database, listing: Listing): Promise<Candidates | null> {
  const rarest = await findRarestWord(db, listing.words);
  if (rarest) return linksWithWord(db, rarest);
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
  return priced
    .leftJoin('link_words', 'link_words.link_id', 'link.id')
    .select(['link.id as link_id', 'link_words.words'])
    .limit(MAX_CANDIDATES);
}
