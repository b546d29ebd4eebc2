import type { LinkPage } from './link-pages.ts';

interface Dated {
  id: string;
  createdAt: string;
}

/** A list with a new link in its place, before all others. */
export function withNewLink<Item extends Dated>(
  { items, nextToken }: LinkPage<Item>,
  link: Item,
): LinkPage<Item> {
  return { items: [link, ...items.filter(({ id }) => id !== link.id)], nextToken };
}

/** A list with a link as it is now; a link that is not shown is not added. */
export function withChangedLink<Item extends Dated>(
  { items, nextToken }: LinkPage<Item>,
  link: Item,
): LinkPage<Item> {
  return { items: items.map((item) => (item.id === link.id ? link : item)), nextToken };
}

export function withoutLink<Item extends Dated>(
  { items, nextToken }: LinkPage<Item>,
  gone: string,
): LinkPage<Item> {
  return { items: items.filter(({ id }) => id !== gone), nextToken };
}

/** A list whose first page was reloaded; the older links that were loaded after it stay. */
export function withFreshPage<Item extends Dated>(
  shown: LinkPage<Item>,
  fresh: LinkPage<Item>,
): LinkPage<Item> {
  const last = fresh.items.at(-1);
  if (!last || fresh.nextToken === null) return fresh;
  const older = shown.items.filter((item) => isOlder(item, last));
  if (older.length === 0) return fresh;
  return { items: [...fresh.items, ...older], nextToken: shown.nextToken };
}

/** In the order of lists: newest first, then by id. */
function isOlder(one: Dated, other: Dated): boolean {
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt;
  return one.id < other.id;
}
