import type { FormErrors } from '../../contract/form-errors.ts';
import { say } from '../languages/say.ts';
import { takeDecimals } from '../lib/decimals.ts';
import type { TypedTerms } from '../lib/sale-terms.ts';
import { Field } from './field.tsx';

interface TermsFieldsProps {
  /** At first. */
  typed: TypedTerms;
  errors: FormErrors;
  disabled: boolean;
}

/** What may be set beside the price, wherever a link is created or changed. */
export function TermsFields({ typed, errors, disabled }: TermsFieldsProps) {
  return (
    <>
      <Field
        defaultValue={typed.least}
        disabled={disabled}
        error={errors.least}
        hint={say(
          'Buyers name the price, from this one on, and the price above is suggested. With 0, they may pay nothing. Empty: the price is fixed.',
        )}
        inputMode="decimal"
        label={say('Smallest price (optional)')}
        min="0"
        name="least"
        ref={takeDecimals}
        step="0.01"
        type="number"
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          defaultValue={typed.copies}
          disabled={disabled}
          error={errors.copies}
          hint={say('Empty: any number.')}
          inputMode="numeric"
          label={say('Copies to sell (optional)')}
          min="1"
          name="copies"
          type="number"
        />
        <Field
          defaultValue={typed.until}
          disabled={disabled}
          hint={say('In UTC. Empty: no end.')}
          label={say('Last day of sale (optional)')}
          name="until"
          type="date"
        />
      </div>
    </>
  );
}
