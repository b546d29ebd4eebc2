import { useState } from 'react';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { describePrice, describeTerms } from '../../data/describe-price.ts';
import { takeDecimalComma } from '../../data/take-decimal-comma.ts';
import { useChanging } from '../../data/use-changing.ts';
import { Field } from '../field.tsx';

/** Milliseconds after the last key until what the price means is read out. */
const PAUSE_MS = 800;

interface PriceFieldProps {
  config: RuntimeConfig;
  typed: string | undefined;
  error: string | undefined;
  disabled: boolean;
}

/** The price, and what of it the creator receives. */
export function PriceField({ config, typed = '', error, disabled }: PriceFieldProps) {
  const [price, setPrice] = useState(typed);
  const isTyping = useChanging(price, PAUSE_MS);
  return (
    <Field
      defaultValue={typed}
      disabled={disabled}
      error={error}
      hint={
        <output aria-busy={isTyping} className="tabular-nums">
          {error ? describeTerms(config) : describePrice(price, config)}
        </output>
      }
      inputMode="decimal"
      label="Price (USD)"
      min="0"
      name="price"
      onInput={(event) => setPrice(event.currentTarget.value)}
      placeholder="5.00"
      ref={takeDecimalComma}
      step="0.01"
      type="number"
    />
  );
}
