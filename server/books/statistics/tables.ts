import type { Insertable, Selectable } from 'kysely';

/** What has happened to a link so far, stored so that no list ever has to count purchases. */
interface LinkStatisticsTable {
  link_id: string;
  /**
   * Visits that saw the paywall page, without its owner's: those that loaded its image, and those that
   * began a checkout. The latter were not counted by themselves at first: where there are more
   * checkouts than views, they are from then, and stay, as nobody knows who looked.
   */
  views: number;
  checkouts: number;
  /** Those of them whose purchases were swept, because nobody paid. */
  swept_checkouts: number;
  sales: number;
  /** Refunds made, partial ones too, less those that failed later. */
  refunds: number;
}

/** What happened to all links of a creator on one day. */
interface SellerDayTable {
  owner_id: string;
  /** Whole UTC days since 1970. */
  day: number;
  views: number;
  checkouts: number;
  /** Those of them whose purchases were swept, because nobody paid. */
  swept_checkouts: number;
  sales: number;
  refunds: number;
  /** The creator's part of the sales of this day. */
  net_cents: number;
  /** Taken from the creator on this day by refunds and disputes, less what was restored. */
  returned_cents: number;
}

/** What came of those who came to a link from one place on one day. */
interface LinkSourceTable {
  link_id: string;
  /** Whole UTC days since 1970. */
  day: number;
  /** As `contract/sources.ts` writes it. */
  source: string;
  owner_id: string;
  views: number;
  checkouts: number;
  /** Those of them whose purchases were swept, because nobody paid. */
  swept_checkouts: number;
  sales: number;
  /** The creator's part of the sales of this day. */
  net_cents: number;
}

declare module '../../ground/database/tables.ts' {
  interface Tables {
    link_statistics: LinkStatisticsTable;
    link_source: LinkSourceTable;
    seller_day: SellerDayTable;
    /** What happened at the installation that an account was imported from: its seller's alone to see. */
    imported_day: SellerDayTable;
  }
}

export type LinkStatistics = Omit<Selectable<LinkStatisticsTable>, 'swept_checkouts'>;
export type SellerDay = Omit<Selectable<SellerDayTable>, 'owner_id' | 'swept_checkouts'>;

type Counts<Row, Key extends keyof Row> = Pick<Row, Key> & Partial<Omit<Row, Key>>;

/** What is added to a link; what is left out did not happen. */
export type LinkCounts = Counts<Insertable<LinkStatisticsTable>, 'link_id'>;
/** What is added to a creator's day. */
export type DayCounts = Counts<Insertable<SellerDayTable>, 'owner_id' | 'day'>;
/** What is added to a link's source. */
export type SourceCounts = Counts<
  Insertable<LinkSourceTable>,
  'link_id' | 'day' | 'source' | 'owner_id'
>;
