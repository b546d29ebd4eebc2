import type { Selectable } from 'kysely';

/** An account that came from another installation. */
interface AccountImportTable {
  owner_id: string;
  /** Of the export that it came by. */
  manifest_sha256: string;
  installation: string;
  /** What that installation goes on owing the account. */
  owed_cents: number;
  /** How many lines of the export have been written. */
  lines_done: number;
  imported_at: number;
  finished_at: number | null;
}

/** A purchase whose buyer has, where it was made, an account with this address, and none here yet. */
interface AwaitedPurchaseTable {
  purchase_id: string;
  /** In its canonical form. */
  email: string;
}

/** A personal link that another installation signed. */
interface EarlierPersonalLinkTable {
  /** SHA-256 of its token, in hexadecimal. */
  hash: string;
  grant_id: string;
}

declare module '../../ground/database/tables.ts' {
  interface Tables {
    account_import: AccountImportTable;
    awaited_purchase: AwaitedPurchaseTable;
    earlier_personal_link: EarlierPersonalLinkTable;
  }
}

export type AccountImport = Selectable<AccountImportTable>;
