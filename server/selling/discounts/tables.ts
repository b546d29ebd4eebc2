import type { Selectable } from 'kysely';

/** What a seller lowers prices by, for whoever has its code. Nothing of it changes until it ends. */
interface DiscountTable {
  id: string;
  owner_id: string;
  /** In upper case. No two of an owner that have not ended are the same. */
  code: string;
  /** From 1 to 100, which is free; null where an amount is taken off. */
  percent: number | null;
  amount_cents: number | null;
  /** The minimum price it is for. */
  minimum_cents: number | null;
  /** UTC milliseconds, the first moment; null for at once. */
  starts_at: number | null;
  /** The first moment at which it is over; null for never. */
  ends_at: number | null;
  /** By all buyers together; null for any number. */
  max_uses: number | null;
  max_uses_of_buyer: number | null;
  /** 1 where it is for the links in `discount_link`, 0 where it is for all of its owner. */
  chosen_links: number;
  created_at: number;
  /** When its owner ended it. */
  ended_at: number | null;
}

interface DiscountLinkTable {
  discount_id: string;
  link_id: string;
}

/** By which discount a purchase was agreed on: it ends with its purchase. */
interface PurchaseDiscountTable {
  purchase_id: string;
  discount_id: string;
}

declare module '../../ground/database/tables.ts' {
  interface Tables {
    discount: DiscountTable;
    discount_link: DiscountLinkTable;
    purchase_discount: PurchaseDiscountTable;
  }
}

export type Discount = Selectable<DiscountTable>;
