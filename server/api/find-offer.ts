import { formatCents } from '../../contract/money.ts';
import { nameLink } from '../../contract/name-link.ts';
import { findLink } from '../domain/links/queries.ts';
import type { Link } from '../domain/links/tables.ts';
import type { LinkReaders } from './present-link.ts';

/** What everybody may know of a link on sale, for other sites to show. */
export interface Offer {
  link: Pick<Link, 'id' | 'cover'>;
  /** The title, or how a link without one is named. */
  name: string;
  seller: string | null;
  /** "$4.99" or "Free" */
  price: string;
}

/** Null for what does not exist, was deleted or taken down. */
export async function findOffer(readers: LinkReaders, id: string): Promise<Offer | null> {
  const link = await findLink(readers.db, id);
  if (!link || link.deleted_at !== null || link.taken_down_at !== null) return null;
  return {
    link,
    name: nameLink(link),
    seller: await readers.findSeller(link.owner_id),
    price: link.unlocked === 1 ? 'Free' : `$${formatCents(link.price_cents)}`,
  };
}
