/** What links cost together when each is bought by itself, as suggested where buyers name it; cents. */
export function priceSingly(links: { price: number; free: boolean }[]): number {
  return links.reduce((sum, { price, free }) => sum + (free ? 0 : price), 0);
}
