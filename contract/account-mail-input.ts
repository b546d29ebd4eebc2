/** What a mail with a six-digit code says. */
export interface CodeInput {
  code: string;
  origin: string;
}

/** What a mail about something that happened to an account says. */
export interface NoticeInput {
  firstName: string;
  origin: string;
  supportEmail: string | null;
}

/** What opens an account, other than the password, after that was changed. */
export interface RemainingKeys {
  passkeys: number;
  secretKeys: number;
  /** The names of those by whom its owner signs in: "GitHub". */
  providers: string[];
}
