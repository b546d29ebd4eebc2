/**
 * In SQL, the address whose mail opens a purchase, without regard to case: of a gift that of its
 * recipient.
 * @param purchase what the query calls the purchase
 */
export const mailboxOf = (purchase: string): string =>
  `lower(coalesce(${purchase}.gift_email, ${purchase}.buyer_email))`;
