import type { Generated, Selectable } from 'kysely';
import type { Language } from '../../../contract/languages.ts';

/** The parts of better-auth's own tables that the domain reads or erases; better-auth writes them. */
interface UserTable {
  id: string;
  email: string;
  /** 0 or 1 in SQLite. */
  emailVerified: boolean | number;
  firstName: string;
  /** That it is mailed in. */
  language: Generated<Language>;
  /** 0 or 1 in SQLite; null where it never was. */
  twoFactorEnabled: boolean | number | null;
  /** When its email address or password was last changed; null where it never was. */
  credentialsChangedAt: Date | string | null;
  /** ISO 8601 in SQLite. */
  createdAt: Date | string;
}

interface SessionTable {
  id: string;
  userId: string;
  /** SHA-256 of the token, hex. */
  token: string;
  /** ISO 8601 in SQLite. */
  createdAt: Date | string;
  expiresAt: Date | string;
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
  /** Separated by spaces, in the order of `SCOPES`. */
  scopes: string;
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

/** Mails to addresses that nobody has proven, counted by who asked for them. */
interface MailsOfDayTable {
  /** Whole UTC days since 1970. */
  day: number;
  /** SHA-256 of a network address, hex; 'all' for the sum. */
  visitor: string;
  mails: number;
}

export type InvitedRole = 'seller' | 'operator';

/** At most one of an address is neither accepted nor revoked. */
interface InvitationTable {
  id: string;
  /** In its canonical form. */
  email: string;
  role: InvitedRole;
  /** When it was last sent. */
  sent_at: number;
  expires_at: number;
  accepted_at: number | null;
  revoked_at: number | null;
}

declare module '../../ground/database/tables.ts' {
  interface Tables {
    user: UserTable;
    invitation: InvitationTable;
    session: SessionTable;
    mails_of_day: MailsOfDayTable;
    secret_key: SecretKeyTable;
    seller: SellerTable;
    verification: VerificationTable;
  }
}

export type Invitation = Selectable<InvitationTable>;
export type SecretKey = Selectable<SecretKeyTable>;
