import type { Selectable } from 'kysely';

/** The parts of better-auth's own tables that the domain reads or erases; better-auth writes them. */
interface UserTable {
  id: string;
  email: string;
  firstName: string;
}

interface VerificationTable {
  identifier: string;
}

interface SecretKeyTable {
  id: string;
  owner_id: string;
  name: string;
  /** SHA-256 of the key, hex: the key itself is kept nowhere. */
  hash: string;
  /** Its last characters, by which the owner recognizes it. */
  hint: string;
  created_at: number;
  last_used_at: number | null;
  revoked_at: number | null;
}

/** Who buyers are told they buy from. */
interface SellerTable {
  owner_id: string;
  /** Null after the creator took it back. */
  name: string | null;
  /** Grows with every change: what kept pages are revalidated by. */
  version: number;
}

export interface AccountTables {
  user: UserTable;
  secret_key: SecretKeyTable;
  seller: SellerTable;
  verification: VerificationTable;
}

export type SecretKey = Selectable<SecretKeyTable>;
