import type { NotificationChoice, NotifiedBrowserDetails } from './notifications.ts';
import type { Scope } from './secret-key-scopes.ts';

/** What the account page shows: the account, and the keys to it. */
export interface AccountPageData {
  email: string;
  /** False for an account that can only be entered through a sign-in service. */
  hasPassword: boolean;
  /** Where they are signed in: this session first, then the newest. */
  sessions: SessionDetails[];
  /** Whether an authenticator's code is asked for after the password. */
  twoFactor: boolean;
  /** The oldest first. */
  passkeys: PasskeyDetails[];
  /** Who buyers are told they buy from. */
  sellerName: string | null;
  sellerPage: SellerPageDetails;
  notifications: NotificationChoice;
  /** The last one added first. */
  notifiedBrowsers: NotifiedBrowserDetails[];
  /** What browsers subscribe with: base64url. */
  pushKey: string;
  /** Whether the operator's pages are open to it. */
  isOperator: boolean;
  /** Newest first. */
  secretKeys: SecretKeyDetails[];
}

export interface SessionDetails {
  id: string;
  /** "Firefox on Windows" */
  device: string;
  /** ISO 8601. */
  signedInAt: string;
  /** The session of the request itself. */
  current: boolean;
}

export interface PasskeyDetails {
  id: string;
  name: string;
  /** ISO 8601. */
  createdAt: string;
  /** The host name of the site that it was made for; null where that was not kept yet. */
  domain: string | null;
}

/** What a creator sets up of their own page. */
export interface SellerPageDetails {
  /** What its address ends with; null where there is no page. */
  handle: string | null;
  about: string | null;
  links: string[];
  /** Pixels; null where there is none. */
  picture: { url: string; width: number; height: number } | null;
}

export interface SecretKeyDetails {
  id: string;
  name: string;
  /** The last characters of the key. */
  hint: string;
  scopes: Scope[];
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601, to the minute. */
  lastUsedAt: string | null;
}
