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

export interface AccountTables {
  user: UserTable;
  secret_key: SecretKeyTable;
  verification: VerificationTable;
}

export type SecretKey = Selectable<SecretKeyTable>;
