// Printed by `npm run schema`: change what it is made of instead.

export interface Offer {
  id: string;
  url: string;
  title: string;
  description: string | null;
  seller: string | null;
  /** Such as "$4.99", or "Free". */
  price: string;
  /** Cents. */
  amount: number;
  currency: "usd";
  /** Cents: buyers name the price, from this on. */
  least: number | null;
  /** Copies that can still be bought; null for any number. */
  left: number | null;
  /** When the sale ends, ISO 8601. */
  until: string | null;
  /** Whether taxes are added at the checkout. */
  taxAdded: boolean;
  available: boolean;
  delivers: {
    type: "file" | "link" | "bundle";
    version: number;
    contents: Array<{
      mediaType: string | null;
      /** Bytes. */
      size: number;
      [fact: string]: unknown;
    }>;
  };
  /** How a checkout begins; null where it is free or nothing can be bought. */
  buy: {
    method: "POST";
    url: string;
    contentType: "application/json";
    body: {
      paywallId: string;
    };
  } | null;
  /** The page that asks whom it is given to; programs send `gift` in the body. Null as `buy`. */
  gift: {
    url: string;
  } | null;
  /** The page with the terms of sale and of refunds. */
  terms: string;
  contact: string | null;
}
export interface Cover {
  url: string;
  width: number;
  height: number;
}
export interface FilePage {
  items: Array<{
    key: string;
    name: string;
    /** Bytes. */
    size: number;
    sha256: string | null;
  }>;
  nextToken?: string | null;
}
export interface FileAddress {
  url: string;
}
export interface CheckoutAddress {
  url: string | null;
}
export interface License {
  valid: boolean;
  /** Why it is not valid; suspended while the payment is disputed. */
  reason?: "unknown" | "refunded" | "suspended" | "taken-down" | "too-many-activations";
  link?: string;
  /** On how many devices it is active. */
  activations?: number;
  /** On how many it may be; null for any number. */
  maxActivations?: number | null;
  purchasedAt?: string;
  /** True where no real money was paid. */
  test?: boolean;
}
export interface CheckoutRequest {
  /** The id of a link. */
  paywallId: string;
  /** Random text that nobody can guess: for a minute, checkouts without a cookie that have the same are of one browser. */
  key?: string | null;
  /** A discount code; null and '' are none. */
  code?: string | null;
  /** Dollars as a person types them, where the link lets buyers name the price. */
  amount?: string | null;
  /** Where the buyer came from, as the page of the link says it. */
  from?: string | null;
  /** Whom it is given to; the buyer gets a receipt, and no access. */
  gift?: {
    /** Where the personal link is sent once it is paid. */
    email: string;
    /** Text of up to 300 characters, without addresses. */
    message?: string | null;
  } | null;
}
export interface LicenseCheck {
  /** The id of the link that was bought. */
  link: string;
  /** As its buyer typed it; in generated ones case, spaces and hyphens do not matter. */
  key: string;
  /** A device to activate the key on; again and again, it counts once. */
  activate?: string | null;
}
export interface LicenseDevice {
  /** The id of the link that was bought. */
  link: string;
  /** As its buyer typed it; in generated ones case, spaces and hyphens do not matter. */
  key: string;
  /** What the program calls it: always the same for the same one. */
  device: string;
}
