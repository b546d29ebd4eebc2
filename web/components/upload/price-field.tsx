import { useState } from 'react';
import { dollarsToCents, type FeeRate, feeOf } from '../../../contract/money.ts';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { checkPrice } from '../../data/check-upload.ts';
import { describeFee } from '../../data/describe-fee.ts';
import { formatPrice } from '../../data/format.ts';
import { Field } from '../field.tsx';

interface PriceFieldProps {
  config: RuntimeConfig;
  typed: string | undefined;
  error: string | undefined;
  disabled: boolean;
}

/** The price, and what of it the creator receives. */
export function PriceField({ config, typed = '', error, disabled }: PriceFieldProps) {
  const [price, setPrice] = useState(typed);
  const cents = checkPrice(price, config) ? null : dollarsToCents(Number(price));
  return (
    <Field
      defaultValue={typed}
      disabled={disabled}
      error={error}
      hint={
        <output className="tabular-nums">
          {cents === null
            ? `The fee is ${describeFee(config.fee)} per sale.`
            : describeSplit(cents, config.fee)}
        </output>
      }
      inputMode="decimal"
      label="Price (USD)"
      min="0"
      name="price"
      onInput={(event) => setPrice(event.currentTarget.value)}
      placeholder="5.00"
      step="0.01"
      type="number"
    />
  );
}

/** The price as it is kept, in whole cents, may not be what was typed. */
function describeSplit(cents: number, fee: FeeRate): string {
  const share = formatPrice(cents - feeOf(cents, fee));
  return `Buyers pay ${formatPrice(cents)}. You receive ${share}.`;
}
