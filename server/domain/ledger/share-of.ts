/**
 * The part of an amount that belongs to `cents` of `total`, rounded half up: 0 for nothing and the
 * whole amount for all of it. Taken of running sums, its differences never lose or gain a cent.
 */
export function shareOf(amountCents: number, cents: number, total: number): number {
  const divisor = 2n * BigInt(total);
  return Number((2n * BigInt(amountCents) * BigInt(cents) + BigInt(total)) / divisor);
}
