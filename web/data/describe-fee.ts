import type { FeeRate } from '../../contract/money.ts';
import { formatPrice } from './format.ts';

/** The fee's rate in words: "5 % plus $0.30". */
export function describeFee({ basisPoints, fixedCents }: FeeRate): string {
  const share = `${basisPoints / 100} %`;
  if (fixedCents === 0) return share;
  return basisPoints === 0 ? formatPrice(fixedCents) : `${share} plus ${formatPrice(fixedCents)}`;
}
