import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { seenText } from '../../../contract/characters.ts';
import { addCounts } from '../../books/statistics/counts.ts';
import type { Database, DatabaseContext } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import type { Mode } from '../../selling/purchases/tables.ts';
import type { LineOf } from '../export/format.ts';
import { writeLines } from '../export/write-lines.ts';
import type { Sale, Source } from './read-sale.ts';

export interface SoldLink {
  sale: Sale;
  linkId: string;
}

interface Seller {
  source: Source;
  ownerId: string;
}

/**
 * The id of a purchase follows from what tells its sale from all others: nothing is imported twice. Of
 * sales that are the same, the last one counts.
 */
export function identifySales(
  { source, ownerId }: Seller,
  sold: SoldLink[],
): Map<string, SoldLink> {
  return new Map(
    sold.map((one) => {
      const said = JSON.stringify([source, ownerId, one.sale.key]);
      const hash = createHash('sha256').update(said).digest('hex');
      // As UUIDs are written that are made of something.
      const id = hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-a$4-$5');
      return [id, one];
    }),
  );
}

/** Those of these purchases that are here. */
export async function findKnown(db: Database, ids: Iterable<string>): Promise<Set<string>> {
  const known = await db
    .selectFrom('purchase')
    .where('id', 'in', [...ids])
    .select('id')
    .execute();
  return new Set(known.map(({ id }) => id));
}

/**
 * Writes sales as settled purchases of links, without money: what is here already is left out.
 * @returns how many were written
 */
export async function writeSales(
  { db, now }: DatabaseContext,
  seller: Seller & { mode: Mode },
  sales: Map<string, SoldLink>,
): Promise<number> {
  return transaction(db, async (trx) => {
    const known = await findKnown(trx, sales.keys());
    const fresh = [...sales].filter(([id]) => !known.has(id));
    if (fresh.length === 0) return 0;
    const links = await trx
      .selectFrom('link')
      .leftJoin('seller', 'seller.owner_id', 'link.owner_id')
      .where('link.id', 'in', [...new Set(fresh.map(([, { linkId }]) => linkId))])
      .select(['link.id', 'link.content_version', 'link.title', 'seller.name'])
      .execute();
    const lines = fresh.flatMap(([id, { sale, linkId }]) => {
      const link = links.find((one) => one.id === linkId);
      return link ? [lineOf(id, sale, link)] : [];
    });
    const here = { ...seller, importedAt: now(), hasScanner: false };
    await writeLines(trx, lines, here);
    // One of whom nothing is known was seen, as at a checkout.
    const counted = { views: 1, checkouts: 1, sales: 1 };
    addCounts(
      trx,
      lines.map(({ link_id }) => ({ link_id, ...counted })),
      [],
    );
    return lines.length;
  });
}

interface ReadLink {
  id: string;
  content_version: number;
  title: string | null;
  name: string | null;
}

function lineOf(id: string, sale: Sale, link: ReadLink): LineOf<'sale'> {
  const { soldAt: created_at } = sale;
  return {
    kind: 'sale',
    id,
    link_id: link.id,
    content_version: link.content_version,
    parts: [],
    // Of no browser: the buyer opens it by email.
    claim_hash: randomBytes(32).toString('hex'),
    price_cents: sale.cents,
    fee_cents: 0,
    taxed: 0,
    tax_cents: 0,
    currency: 'usd',
    buyer_email: sale.email,
    buyer_account: null,
    gift_email: sale.giftEmail,
    gift_message: null,
    gift_opened_at: null,
    language: 'en',
    code: null,
    created_at,
    settled_at: created_at,
    title: seenText(link.title),
    seller_name: link.name,
    grant: {
      id: randomUUID(),
      state: 'active',
      created_at,
      updated_at: created_at,
      wants_versions: 0,
      told_version: 0,
    },
    claims: [],
    personal_links: [],
    delivered: [],
    license_keys: [],
    refunds: [],
  };
}
