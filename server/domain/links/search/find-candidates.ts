import type { Database } from '../../tables.ts';
import { offeredLinks } from '../list-expressions.ts';
import type { Listing } from '../listing.ts';
import { type Candidates, linksWithWords, MAX_CANDIDATES } from './candidates.ts';
import { findRareWords } from './rare-words.ts';

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
