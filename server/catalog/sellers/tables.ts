import type { Selectable } from 'kysely';

/** Addresses of sellers' pages, in lower case. */
interface SellerHandleTable {
  handle: string;
  owner_id: string;
  /** Null for the one that the page has now; the others lead to it until they are given up. */
  left_at: number | null;
}

/** What a seller's page shows beside the name and the links. */
interface SellerPageTable {
  owner_id: string;
  /** Plain text; line breaks are kept. */
  about: string | null;
  /** JSON: the web addresses that it leads to, in order. */
  links: string;
  /** Name of the picture's blob, also a part of its address. */
  picture: string | null;
  /** Pixels. */
  picture_width: number | null;
  picture_height: number | null;
}

/** Links that come first on their seller's page, the last pinned one before the others. */
interface PinnedLinkTable {
  link_id: string;
  owner_id: string;
  pinned_at: number;
}

declare module '../../ground/database/tables.ts' {
  interface Tables {
    seller_handle: SellerHandleTable;
    seller_page: SellerPageTable;
    pinned_link: PinnedLinkTable;
  }
}

export type SellerPageRow = Selectable<SellerPageTable>;
