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
          'Let buyers pay what they want, from this amount. The price above is suggested. Leave blank for a fixed price.',
        )}
        inputMode="decimal"
        label={say('Minimum price (optional)')}
        min="0"
        name="least"
        ref={takeDecimals}
        step="0.01"
        type="number"
      />
      <div className="paired-fields">
        <Field
          defaultValue={typed.copies}
          disabled={disabled}
          error={errors.copies}
          hint={say('Leave blank for unlimited.')}
          inputMode="numeric"
          label={say('Copies to sell (optional)')}
          min="1"
          name="copies"
          type="number"
        />
        <Field
          defaultValue={typed.until}
          disabled={disabled}
          hint={say('UTC. Leave blank for no end date.')}
          label={say('Last day of sale (optional)')}
          name="until"
          type="date"
        />
      </div>
    </>
  );
}
