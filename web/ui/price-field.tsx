import { useEffect, useRef, useState } from 'react';
import type { Said } from '../../contract/fact.ts';
import { checkPriceBounds, type PriceTerms } from '../../contract/link-rules.ts';
import { dollarsToCents, shareOut } from '../../contract/money.ts';
import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { say, tell } from '../languages/say.ts';
import { takeDecimals } from '../lib/decimals.ts';
import { formatPrice } from '../lib/format.ts';
import { describeFee } from '../lib/payout-terms.ts';
import { Field } from './field.tsx';

/** Milliseconds after the last key until what the price means is read out. */
const PAUSE_MS = 800;

interface PriceFieldProps {
  config: RuntimeConfig;
  typed: string | undefined;
  error: Said | undefined;
  disabled: boolean;
}

/** The price, and how much of it the creator receives. */
export function PriceField({ config, typed = '', error, disabled }: PriceFieldProps) {
  const [price, setPrice] = useState(typed);
  const [doubt, setDoubt] = useState('');
  const isTyping = useChanging(price, PAUSE_MS);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!field.current) return;
    // It may have been typed before the page was alive.
    setPrice(field.current.value);
    return takeDecimals(field.current);
  }, []);
  return (
    <Field
      defaultValue={typed}
      disabled={disabled}
      error={error}
      hint={
        <output aria-busy={isTyping} className="tabular-nums">
          {error ? describeTerms(config) : doubt || describePrice(price, config)}
        </output>
      }
      inputMode="decimal"
      label={say('Price (USD)')}
      min="0"
      name="price"
      onInput={({ currentTarget }) => {
        setPrice(currentTarget.value);
        setDoubt(currentTarget.validity.customError ? currentTarget.validationMessage : '');
      }}
      placeholder="5.00"
      ref={field}
      step="0.01"
      type="number"
    />
  );
}

type Terms = PriceTerms & Pick<RuntimeConfig, 'fee' | 'payouts' | 'tax'>;

/** What a typed price means: what is paid and received, or the limit that it exceeds. */
function describePrice(typed: string, terms: Terms): string {
  // The price as stored, in whole cents, may not be what was typed.
  const cents = dollarsToCents(Number(typed));
  if (!(cents > 0)) return describeTerms(terms);
  const fault = checkPriceBounds(cents, terms);
  if (fault) return tell(fault);
  const price = formatPrice(cents);
  const paid = say(terms.tax ? 'Buyers pay {price} plus taxes.' : 'Buyers pay {price}.', { price });
  if (terms.payouts.kind === 'solo') return paid;
  const { netCents } = shareOut(cents, terms.fee);
  const share = { price: formatPrice(netCents), fee: describeFee(terms.fee) };
  return `${paid} ${say(netCents > 0 ? 'You receive {price}.' : NOTHING_LEFT, share)}`;
}

const NOTHING_LEFT = 'You receive {price}: the fee of {fee} takes all of it.';

function describeTerms(terms: Terms): string {
  const { fee, minimumPriceCents, providerMinimumCents, payouts } = terms;
  const isCards = providerMinimumCents > 1 && minimumPriceCents === providerMinimumCents;
  const least = say(isCards ? CARD_MINIMUM : '{price} or more.', {
    price: formatPrice(minimumPriceCents),
  });
  const cost =
    payouts.kind === 'solo' ? '' : say('The fee is {fee} per sale.', { fee: describeFee(fee) });
  return `${least} ${cost}`.trim();
}

const CARD_MINIMUM = '{price} or more, because cards cannot be charged less.';

/** Whether a value changed within the last moment, of so many milliseconds. */
function useChanging(value: unknown, momentMs: number): boolean {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), momentMs);
    return () => clearTimeout(timer);
  }, [value, momentMs]);
  return settled !== value;
}
