/** The orders in which lists of links come; the first is the usual one. */
export const LINK_SORTS = ['newest', 'oldest', 'cheapest', 'dearest'] as const;

export type LinkSort = (typeof LINK_SORTS)[number];
