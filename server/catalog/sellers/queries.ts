import { createHash } from 'node:crypto';
import { z } from 'zod';
import { DEFAULT_PAGE_SIZE, MAX_PINNED_LINKS } from '../../../contract/limits.ts';
import { tidyHandle } from '../../../contract/seller-rules.ts';
import { prepare } from '../../ground/database/prepare.ts';
import type { Database } from '../../ground/database/tables.ts';
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
    ownerId: owner_id,
    handle: now,
    name,
    version,
    about,
    links: parseLinks(links),
    picture: pictureOf(row),
  };
}

const parseLinks = (links: string | null) => keptLinks.parse(JSON.parse(links ?? '[]'));

type PictureColumns = 'picture' | 'picture_width' | 'picture_height';

/** The picture of a seller's page; null where there is none, or no page. */
export const pictureOf = ({
  picture: blob,
  picture_width: width,
  picture_height: height,
}: { [Name in PictureColumns]: SellerPageRow[Name] | null }): SellerPage['picture'] =>
  blob && width && height ? { blob, width, height } : null;

type OwnPage = Pick<SellerPage, 'about' | 'links' | 'picture'> & { handle: string | null };
/** All null where there is neither an address nor a page. */
type OwnPageColumns = { [Name in keyof SellerPageRow]: SellerPageRow[Name] | null } & {
  handle: string | null;
};

/** What an account has set up of its own page, with an address or not yet. */
export function describeOwnPage(row: Omit<OwnPageColumns, 'owner_id'>): OwnPage {
  const { handle, about, links } = row;
  return { handle, about, links: parseLinks(links), picture: pictureOf(row) };
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
  return pinnedLinks(db, ownerId).selectAll('link').limit(atMost).execute();
}

const pinnedLinks = (db: Database, ownerId: string) =>
  shownLinks(db, ownerId)
    .innerJoin('pinned_link', 'pinned_link.link_id', 'link.id')
    .orderBy('pinned_link.pinned_at', 'desc')
    .orderBy('link.id');

const readPinned = prepare((db, ownerId: string) =>
  pinnedLinks(db, ownerId)
    .select(['link.id', 'link.version', 'link.copies'])
    .limit(MAX_PINNED_LINKS),
);

const readNewest = prepare((db, ownerId: string, count: number) =>
  shownLinks(db, ownerId)
    .orderBy('link.created_at', 'desc')
    .orderBy('link.id', 'desc')
    .select(['link.id', 'link.version', 'link.copies'])
    .limit(count),
);

/**
 * Another number for anything else that the first page of a seller shows; null where that changes by
 * itself, because few copies of a link are sold.
 */
export async function readSellerPageVersion(
  db: Database,
  { ownerId, version }: SellerPage,
): Promise<number | null> {
  const shown = await Promise.all([
    readPinned(db, ownerId),
    // One more, which says whether there is another page.
    readNewest(db, ownerId, DEFAULT_PAGE_SIZE + 1),
  ]);
  if (shown.flat().some(({ copies }) => copies !== null)) return null;
  const hash = createHash('sha256').update(JSON.stringify([version, shown]));
  return hash.digest().readUIntBE(0, 6);
}

/**
 * The seller whose picture this blob is, and whether their page is open to everybody. Null when it is
 * nobody's.
 */
export async function findSellerPicture(
  db: Database,
  blob: string,
): Promise<{ ownerId: string; isPublic: boolean } | null> {
  const page = await db
    .selectFrom('seller_page')
    .leftJoin('seller_handle', (join) =>
      join.onRef('seller_handle.owner_id', '=', 'seller_page.owner_id').on('left_at', 'is', null),
    )
    .leftJoin('suspension', 'suspension.user_id', 'seller_page.owner_id')
    .where('seller_page.picture', '=', blob)
    .select(['seller_page.owner_id', 'handle', 'suspension.user_id as suspended_id'])
    .executeTakeFirst();
  if (!page) return null;
  return {
    ownerId: page.owner_id,
    isPublic: page.handle !== null && page.suspended_id === null,
  };
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
