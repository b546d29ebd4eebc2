import { MAX_SEARCH_WORDS } from '../../../contract/limits.ts';
import { wordsToFind } from '../../catalog/links/index-words.ts';
import { findLink, type LinkCondition } from '../../catalog/links/queries.ts';
import type { Link } from '../../catalog/links/tables.ts';
import { listLinks } from '../../catalog/listing/list-links.ts';
import type { Database } from '../../ground/database/tables.ts';
import { canonicalAddress } from '../../ground/lib/canonical-address.ts';
import { readPage } from '../../ground/lib/newest-first.ts';

interface Asked {
  /** An id, an address of a page, a seller's email address, or words of the title; '' for all. */
  search: string;
  /** Those that are taken down, the last one first, in place of those on sale or paused. */
  isTakenDown: boolean;
  /** Where the last page ended; null for the first one. */
  token: string | null;
}

interface FoundLinks {
  links: Link[];
  /** Present as long as there are links that were not examined. */
  nextToken: string | null;
}

/**
 * Links of all sellers, newest first, by keyset; one whose id or address is given, in any state.
 * @throws DomainError INVALID_INPUT for a search that is too long, or a token of another list
 */
export async function findLinks(
  db: Database,
  { search, isTakenDown, token }: Asked,
): Promise<FoundLinks> {
  const words = search.trim();
  const [, id] = /^(?:\S+\/p\/)?([0-9a-f]{8})(?:[/?#]\S*)?$/.exec(words) ?? [];
  const link = id === undefined ? undefined : await findLink(db, id);
  if (link) return { links: [link], nextToken: null };
  const isSeller = words.includes('@');
  const ownerId = isSeller ? await findSellerId(db, words) : null;
  if (ownerId === undefined) return { links: [], nextToken: null };
  const asked = { ownerId, words: isSeller ? '' : words, token };
  return isTakenDown ? findTakenDown(db, asked) : findOffered(db, asked);
}

async function findSellerId(db: Database, email: string): Promise<string | undefined> {
  const account = await db
    .selectFrom('user')
    .where('email', '=', canonicalAddress(email))
    .select('id')
    .executeTakeFirst();
  return account?.id;
}

interface AskedOfState extends Pick<Asked, 'token'> {
  /** Null for every seller. */
  ownerId: string | null;
  words: string;
}

async function findOffered(
  db: Database,
  { ownerId, words: search, token: nextToken }: AskedOfState,
): Promise<FoundLinks> {
  const conditions: LinkCondition[] =
    ownerId === null ? [] : [{ column: 'owner_id', operator: '=', value: ownerId }];
  const page = await listLinks(db, conditions, { search, nextToken }, { withUnlisted: true });
  // Every column was read.
  return { links: page.links as Link[], nextToken: page.nextToken };
}

/** They are as few as operators took down one by one. */
async function findTakenDown(
  db: Database,
  { ownerId, words, token }: AskedOfState,
): Promise<FoundLinks> {
  let asked = db
    .selectFrom('take_down')
    .innerJoin('link', 'link.id', 'take_down.link_id')
    .leftJoin('link_words', 'link_words.link_id', 'link.id')
    .where('take_down.undone_at', 'is', null)
    .selectAll('link')
    .select(['take_down.id as takeDownId', 'take_down.taken_down_at as time']);
  if (ownerId !== null) asked = asked.where('link.owner_id', '=', ownerId);
  const looked = wordsToFind(words).slice(0, MAX_SEARCH_WORDS);
  if (words.trim() !== '' && looked.length === 0) return { links: [], nextToken: null };
  for (const word of looked) {
    asked = asked.where('link_words.words', 'like', `% ${word}%`);
  }
  const { items: links, nextToken } = await readPage(asked, {
    list: 'taken-down',
    by: ['take_down.taken_down_at', 'take_down.id'],
    placeOf: ({ time, takeDownId: id }) => ({ time, id }),
    token,
  });
  return { links, nextToken };
}
