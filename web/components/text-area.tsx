import type { ComponentProps } from 'react';
import { FieldFrame, type FieldTexts } from './field-frame.tsx';

type TextAreaProps = FieldTexts & ComponentProps<'textarea'>;

/** A labelled field of several lines with its hint and its error beside it. */
export function TextArea({ label, hint, error, className, ...area }: TextAreaProps) {
  return (
    <FieldFrame className={className} error={error} hint={hint} label={label}>
      {(ties) => <textarea rows={4} {...area} {...ties} />}
    </FieldFrame>
  );
}
