import type { FeeRate } from '../../contract/money.ts';
import type { PayoutTerms } from '../../contract/runtime-config.ts';
import { say } from '../languages/say.ts';
import { formatPrice, sayCount, sayPercent } from './format.ts';

/** When the money of a sale is a seller's to have paid out. */
export function describeHold({ holdDays }: PayoutTerms): string {
  if (holdDays === 0)
    return say('It is available as soon as the card payment provider releases it.');
  return sayCount(
    holdDays,
    'It stays pending for 1 day, because payments can be reversed, and is available after that.',
    'It stays pending for {count} days, because payments can be reversed, and is available after that.',
  );
}

/** How it reaches them. */
export function describePayouts({ kind, minimumCents, costCents }: PayoutTerms): string {
  if (kind !== 'connect') return say('Ask the operator of this site for a payout.');
  const cost =
    costCents === 0
      ? say('It costs you nothing.')
      : say('It costs {price}.', { price: formatPrice(costCents) });
  const asking = say('You can request a payout of {price} or more on your dashboard.', {
    price: formatPrice(minimumCents),
  });
  return `${asking} ${cost}`;
}

/** The fee's rate in words: "5% plus $0.30". */
export function describeFee({ basisPoints, fixedCents }: FeeRate): string {
  const share = sayPercent(basisPoints / 100);
  if (fixedCents === 0) return share;
  return basisPoints === 0
    ? formatPrice(fixedCents)
    : say('{share} plus {price}', { share, price: formatPrice(fixedCents) });
}
