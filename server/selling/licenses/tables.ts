import type { Selectable } from 'kysely';

/** What a program asks about: given to one purchase of one link, or not yet to anybody. */
interface LicenseKeyTable {
  id: string;
  link_id: string;
  /** As its buyer sees it; null where the seller owes it: the list had run out when it was paid. */
  key: string | null;
  /** The same as keys are compared, of a generated one in capitals without hyphens. */
  lookup: string | null;
  /** Null while nobody has bought it. */
  purchase_id: string | null;
  /** UTC milliseconds. Those that were added at once are handed out in the order of their ids. */
  created_at: number;
  /** When it was bought. */
  given_at: number | null;
}

/** A device that a key is used on. */
interface LicenseActivationTable {
  key_id: string;
  /** As its program names it. */
  device: string;
  activated_at: number;
}

declare module '../../ground/database/tables.ts' {
  interface Tables {
    license_key: LicenseKeyTable;
    license_activation: LicenseActivationTable;
  }
}

export type LicenseKey = Selectable<LicenseKeyTable>;
