import type { Selectable } from 'kysely';

/** A link in the cart of a browser. */
interface CartItemTable {
  /** SHA-256 of the browser's claim cookie, hex. */
  claim_hash: string;
  link_id: string;
  /** Cents that the buyer named, where the link lets them. */
  named_cents: number | null;
  /** A discount code, as it was typed. */
  code: string | null;
  /** What it cost the buyer when it was put in, cents. */
  seen_cents: number;
  /** Where the buyer came from to this link, as `contract/sources.ts` writes it. */
  source: string;
  /** UTC milliseconds. */
  added_at: number;
}

declare module '../../ground/database/tables.ts' {
  interface Tables {
    cart_item: CartItemTable;
  }
}

export type CartItem = Selectable<CartItemTable>;
