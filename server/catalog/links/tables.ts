import type { Generated, Selectable } from 'kysely';
import type { Preview } from '../../../contract/link-rules.ts';

/**
 * Which license keys the buyers of a link get: made for each, or those that its seller gave, each once.
 * 'off' where later buyers get none.
 */
type LicenseKeys = 'generated' | 'list' | 'off';

/** A bundle sells other links of its owner's. */
export type LinkType = 'file' | 'link' | 'bundle';

interface LinkTable {
  id: string;
  owner_id: string;
  type: LinkType;
  title: string | null;
  /** Plain text; line breaks are kept. */
  description: string | null;
  /** Storage key of the first file; null for the other types. */
  key: string | null;
  /** External target; null unless the type is 'link'. */
  url: string | null;
  /** The list price: a purchase keeps the one it agreed on. What is suggested, where buyers name it. */
  price_cents: number;
  /**
   * The minimum price that a buyer may name; null where the price is fixed. A link with 0 is free,
   * and whoever wants to pays for it.
   */
  least_cents: Generated<number | null>;
  /** How many are sold; null for any number. */
  copies: Generated<number | null>;
  /** UTC milliseconds, the first moment at which it is not sold any more; null for never. */
  sold_until: Generated<number | null>;
  /** Null where none of its buyers ever got one. */
  license_keys: Generated<LicenseKeys | null>;
  /** How many devices a license key may be activated on; null for any number. */
  license_devices: Generated<number | null>;
  /** Which links are choices of one thing with it; null where it is sold by itself. */
  choice_group: Generated<string | null>;
  /** What it is called among them, and its place. */
  choice: Generated<string | null>;
  choice_place: Generated<number | null>;
  /** What its short address ends with; null where it has none. */
  short_name: Generated<string | null>;
  /** 1 where the creator made the link free. */
  unlocked: number;
  paused: number;
  /** 1 where the creator wants no search engine to list the page. */
  noindex: Generated<number>;
  /** 1 where the creator keeps it out of every list too: only people with its address find it. */
  unlisted: Generated<number>;
  /** Name of the picture's blob, also a part of its address. */
  cover: string | null;
  /** Pixels. */
  cover_width: number | null;
  cover_height: number | null;
  /** What the page shows of the first file before it is paid for, as its creator chose. */
  preview: Generated<Preview>;
  /** Name of its blob, also a part of its address; null until it is made. */
  preview_blob: string | null;
  preview_media_type: string | null;
  /** Pixels; null for what is heard. */
  preview_width: number | null;
  preview_height: number | null;
  /** 1 where none can be made of the file. */
  preview_failed: Generated<number>;
  /** 1 where each page of a PDF carries its buyer's email address and order number. */
  stamp: Generated<number>;
  /** 1 where one of the PDFs on sale cannot: it is delivered as it was uploaded. */
  stamp_failed: Generated<number>;
  /** Bytes of all files together; null for the other types. */
  size_bytes: number | null;
  media_type: string | null;
  /** The version of its content that is on sale: the highest there is. */
  content_version: number;
  /** Grows with every change: what kept pages are revalidated by. */
  version: number;
  created_at: number;
  updated_at: number;
  deleted_at: number | null;
  taken_down_at: number | null;
}

/** What a link sells or sold: never changed, so that a purchase can name what was bought. */
interface LinkVersionTable {
  link_id: string;
  /** From 1. */
  number: number;
  /** External target; null for files and bundles. */
  url: string | null;
  created_at: number;
  /** When its owner deleted one of its files: it is not sold again. */
  files_deleted_at: number | null;
}

/** The files of a version, in order; the first one's key of the version on sale is the link's. */
interface LinkFileTable {
  link_id: string;
  version: number;
  position: number;
  file_key: string;
}

/** The parts of a version of a bundle, in order. */
interface LinkPartTable {
  link_id: string;
  version: number;
  position: number;
  part_id: string;
}

/** Every link id ever assigned: never reused, even after deletion. */
interface LinkIdTable {
  id: string;
  owner_id: string;
  reserved_at: number;
}

/** The words a link can be found by, separated by single spaces, with one at each end too. */
interface LinkWordsTable {
  link_id: string;
  words: string;
}

/** How many links contain a word; not counted any further once a search cannot use it. */
interface SearchWordTable {
  word: string;
  links: number;
}

/** Short names that a link has or had: each of a seller's leads to one link. */
interface ShortNameTable {
  owner_id: string;
  /** Lower case. */
  name: string;
  link_id: string;
}

declare module '../../ground/database/tables.ts' {
  interface Tables {
    link: LinkTable;
    short_name: ShortNameTable;
    link_words: LinkWordsTable;
    search_word: SearchWordTable;
    link_version: LinkVersionTable;
    link_file: LinkFileTable;
    link_part: LinkPartTable;
    link_id: LinkIdTable;
  }
}

export type Link = Selectable<LinkTable>;
