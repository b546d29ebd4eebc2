/**
 * The next page of a list behind those before it. What moved there meanwhile, as by a new price, keeps
 * its place and is shown as it is now.
 */
export function appendPage<Item extends { id: string }>(before: Item[], next: Item[]): Item[] {
  const fresh = new Map(next.map((item) => [item.id, item]));
  const known = before.map((item) => fresh.get(item.id) ?? item);
  for (const { id } of before) fresh.delete(id);
  return [...known, ...fresh.values()];
}
