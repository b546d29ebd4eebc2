import { canonicalAddress } from '../lib/canonical-address.ts';

/** What a purchase keeps of its buyer's address: as it was given, and as it is compared. */
export const addressOfBuyer = (email: string | null) => ({
  buyer_email: email,
  buyer_mailbox: email === null ? null : canonicalAddress(email),
});

/** The same of the address that a purchase is given to. */
export const addressOfRecipient = <Email extends string | null>(email: Email) => ({
  gift_email: email,
  gift_mailbox: email === null ? null : canonicalAddress(email),
});

/**
 * In SQL, the address that paid for a purchase, as addresses are compared. Plain ones from before
 * that form was kept need no more than their lower case.
 * @param purchase what the query calls the purchase
 */
export const giverOf = (purchase: string): string =>
  `coalesce(${purchase}.buyer_mailbox, lower(${purchase}.buyer_email))`;

/** In the same way, the address whose mail opens a purchase: of a gift that of its recipient. */
export const mailboxOf = (purchase: string): string =>
  `coalesce(${purchase}.gift_mailbox, lower(${purchase}.gift_email), ${giverOf(purchase)})`;
