import type { ComponentProps } from 'react';
import { FieldFrame, type FieldTexts } from './field.tsx';

interface SelectFieldProps extends FieldTexts, ComponentProps<'select'> {
  /** What is chosen from: words by value. */
  options: Record<string, string>;
}

/** A labeled choice of one with its hint and its error beside it. */
export function SelectField({
  options,
  label,
  hint,
  error,
  className,
  ...select
}: SelectFieldProps) {
  return (
    <FieldFrame className={className} error={error} hint={hint} label={label}>
      {(ties) => (
        <select {...select} {...ties}>
          {Object.entries(options).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  );
}
