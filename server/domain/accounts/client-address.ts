/** Carries the visitor's address, as the proxies settled it, from a route to the account library. */
export const CLIENT_ADDRESS_HEADER = 'x-padlink-client-address';
