import type { ComponentProps } from 'react';
import { FieldFrame, type FieldTexts } from './field-frame.tsx';

type FieldProps = FieldTexts & ComponentProps<'input'>;

/** A labelled input with its hint and its error beside it. */
export function Field({ label, hint, error, className, ...input }: FieldProps) {
  return (
    <FieldFrame className={className} error={error} hint={hint} label={label}>
      {(ties) => <input type="text" {...input} {...ties} />}
    </FieldFrame>
  );
}
