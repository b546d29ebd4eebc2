import { createHash } from 'node:crypto';
import { z } from 'zod';
import { DEFAULT_PAGE_SIZE, MAX_PINNED_LINKS } from '../../contract/limits.ts';
import { tidyHandle } from '../../contract/seller-rules.ts';
import { prepare } from '../database/prepare.ts';
import type { Database } from '../database/tables.ts';
import type { Link } from '../links/tables.ts';
import { isOffered } from '../listing/list-expressions.ts';
import type { SellerPageRow } from './tables.ts';

/** A seller's page that anybody may open. */
export interface SellerPage {
  ownerId: string;
  /** Of today, whichever was asked for. */
  handle: string;
  /** The name they sell under. */
  name: string | null;
  about: string | null;
  /** Web addresses that it leads to. */
  links: string[];
  picture: { blob: string; width: number; height: number } | null;
  /** Grows with every change of these. */
  version: number;
}

const readPage = prepare((db, handle: string) =>
  db
    .selectFrom('seller_handle as asked')
    .innerJoin('seller_handle as now', (join) =>
      join.onRef('now.owner_id', '=', 'asked.owner_id').on('now.left_at', 'is', null),
    )
    .innerJoin('seller', 'seller.owner_id', 'asked.owner_id')
    .leftJoin('seller_page', 'seller_page.owner_id', 'asked.owner_id')
    .leftJoin('suspension', 'suspension.user_id', 'asked.owner_id')
    .where('asked.handle', '=', handle)
    .where('suspension.user_id', 'is', null)
    .select(['asked.owner_id', 'now.handle', 'seller.name', 'seller.version'])
    .select(['about', 'links', 'picture', 'picture_width', 'picture_height']),
);

const keptLinks = z.array(z.string());

/** The page at an address of today or of before; none of an account that is suspended or deleted. */
export async function findSellerPage(db: Database, handle: string): Promise<SellerPage | null> {
  const [row] = await readPage(db, tidyHandle(handle));
  if (!row) return null;
  const { owner_id, handle: now, name, version, about, links } = row;
  return {
    ...{ ownerId: owner_id, handle: now, name, version, about },
    ...{ links: parseLinks(links), picture: pictureOf(row) },
  };
}

const parseLinks = (links: string | null) => keptLinks.parse(JSON.parse(links ?? '[]'));

const pictureOf = ({
  picture: blob,
  picture_width: width,
  picture_height: height,
}: Pick<SellerPageRow, 'picture' | 'picture_width' | 'picture_height'>): SellerPage['picture'] =>
  blob && width && height ? { blob, width, height } : null;

/** What an account has set up of its own page, with an address or not yet. */
export async function readOwnPage(
  db: Database,
  ownerId: string,
): Promise<Pick<SellerPage, 'about' | 'links' | 'picture'> & { handle: string | null }> {
  const [handle, page] = await Promise.all([
    db
      .selectFrom('seller_handle')
      .where('owner_id', '=', ownerId)
      .where('left_at', 'is', null)
      .select('handle')
      .executeTakeFirst(),
    db.selectFrom('seller_page').where('owner_id', '=', ownerId).selectAll().executeTakeFirst(),
  ]);
  return {
    ...{ handle: handle?.handle ?? null, about: page?.about ?? null },
    links: parseLinks(page?.links ?? null),
    picture: page ? pictureOf(page) : null,
  };
}

/** How a seller is named where there may be no name. */
export function nameSeller({ name, handle }: Pick<SellerPage, 'name' | 'handle'>): string {
  return name ?? handle;
}

const shownLinks = (db: Database, ownerId: string) =>
  db
    .selectFrom('link')
    .where('link.owner_id', '=', ownerId)
    .where(isOffered)
    .where('link.unlisted', '=', 0);

/**
 * The links that come first on a seller's page, as far as everybody may find them.
 * @param atMost of them; restored ones may be more than a page shows
 */
export function readPinnedLinks(
  db: Database,
  ownerId: string,
  atMost = MAX_PINNED_LINKS,
): Promise<Link[]> {
  return shownLinks(db, ownerId)
    .innerJoin('pinned_link', 'pinned_link.link_id', 'link.id')
    .orderBy('pinned_link.pinned_at', 'desc')
    .orderBy('link.id')
    .selectAll('link')
    .limit(atMost)
    .execute();
}

const readPinned = prepare((db, ownerId: string) =>
  shownLinks(db, ownerId)
    .innerJoin('pinned_link', 'pinned_link.link_id', 'link.id')
    .orderBy('pinned_link.pinned_at', 'desc')
    .orderBy('link.id')
    .select(['link.id', 'link.version'])
    .limit(MAX_PINNED_LINKS),
);

const readNewest = prepare((db, ownerId: string, count: number) =>
  shownLinks(db, ownerId)
    .orderBy('link.created_at', 'desc')
    .orderBy('link.id', 'desc')
    .select(['link.id', 'link.version'])
    .limit(count),
);

/** Another number for anything else that the first page of a seller shows. */
export async function readSellerPageVersion(
  db: Database,
  { ownerId, version }: SellerPage,
): Promise<number> {
  const shown = await Promise.all([
    readPinned(db, ownerId),
    // One more, which says whether there is another page.
    readNewest(db, ownerId, DEFAULT_PAGE_SIZE + 1),
  ]);
  const hash = createHash('sha256').update(JSON.stringify([version, shown]));
  return hash.digest().readUIntBE(0, 6);
}

/** Whether a seller's page that anybody may open shows this blob. */
export async function isSellerPicture(db: Database, blob: string): Promise<boolean> {
  const page = await db
    .selectFrom('seller_page')
    .innerJoin('seller_handle', 'seller_handle.owner_id', 'seller_page.owner_id')
    .leftJoin('suspension', 'suspension.user_id', 'seller_page.owner_id')
    .where('seller_page.picture', '=', blob)
    .where('seller_handle.left_at', 'is', null)
    .where('suspension.user_id', 'is', null)
    .select('seller_page.owner_id')
    .executeTakeFirst();
  return page !== undefined;
}

/** Sellers that one file of a sitemap may name. */
const MAX_SITEMAP_SELLERS = 50_000;
const BATCH = 250;

/** The addresses of pages that show links, in batches, for search engines. */
export async function* readSellerHandles(db: Database): AsyncGenerator<string> {
  let after = '';
  for (let left = MAX_SITEMAP_SELLERS; left > 0; left -= BATCH) {
    const batch = await db
      .selectFrom('seller_handle')
      .leftJoin('suspension', 'suspension.user_id', 'seller_handle.owner_id')
      .where('suspension.user_id', 'is', null)
      .where('left_at', 'is', null)
      .where('handle', '>', after)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('link')
            .whereRef('link.owner_id', '=', 'seller_handle.owner_id')
            .where(isOffered)
            .where('link.unlisted', '=', 0)
            .select('link.id'),
        ),
      )
      .orderBy('handle')
      .select('handle')
      .limit(BATCH)
      .execute();
    yield* batch.map(({ handle }) => handle);
    const last = batch.at(-1);
    if (!last || batch.length < BATCH) return;
    after = last.handle;
  }
}
