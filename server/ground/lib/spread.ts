/**
 * Spreads cents over shares in proportion to their weights, by the largest remainder; of equal
 * remainders the first comes first. Their sum is the amount, to the cent.
 * @param weights integers, not all of them 0 unless the amount is; below 0 for none
 */
export function spread(cents: number, weights: number[]): number[] {
  const counted = weights.map((weight) => BigInt(Math.max(0, weight)));
  const total = counted.reduce((sum, weight) => sum + weight, 0n);
  if (cents === 0) return weights.map(() => 0);
  if (total === 0n) throw new RangeError('Nothing to spread over');
  const amount = BigInt(Math.abs(cents));
  const shares = counted.map((weight) => (amount * weight) / total);
  const left = Number(amount - shares.reduce((sum, share) => sum + share, 0n));
  const remainders = counted.map((weight, index) => ({
    index,
    remainder: Number((amount * weight) % total),
  }));
  const first = remainders.sort((a, b) => b.remainder - a.remainder || a.index - b.index);
  for (const { index } of first.slice(0, left)) shares[index] = (shares[index] ?? 0n) + 1n;
  return shares.map((share) => Math.sign(cents) * Number(share) || 0);
}
