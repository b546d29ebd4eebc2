import { type ComponentProps, type ReactNode, useId } from 'react';
import type { Said } from '../../contract/fact.ts';
import { FieldError } from './alert.tsx';

type FieldProps = FieldTexts & ComponentProps<'input'>;

/** A labeled input with its hint and its error beside it. */
export function Field({ label, hint, error, className, ...input }: FieldProps) {
  return (
    <FieldFrame className={className} error={error} hint={hint} label={label}>
      {(ties) => <input dir="auto" type="text" {...input} {...ties} />}
    </FieldFrame>
  );
}

export interface FieldTexts {
  label: string;
  hint?: ReactNode;
  error?: Said;
}

interface FieldFrameProps extends FieldTexts {
  className?: string;
  /** Draws the control with what ties it to its label, its hint and its error. */
  children(ties: ControlTies): ReactNode;
}

interface ControlTies {
  id: string;
  className: string;
  'aria-describedby': string;
  'aria-invalid': true | undefined;
}

/** A control with its label above, its hint and its error below. */
export function FieldFrame({ label, hint, error, className = '', children }: FieldFrameProps) {
  const id = useId();
  return (
    <div className={className}>
      <label className="mb-1.5 block font-medium" htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        className: 'input',
        'aria-describedby': [hint && `${id}-hint`, error && `${id}-error`]
          .filter(Boolean)
          .join(' '),
        'aria-invalid': error ? true : undefined,
      })}
      {hint && (
        <div className="mt-1.5 text-sm text-muted" id={`${id}-hint`}>
          {hint}
        </div>
      )}
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  );
}

type TextAreaProps = FieldTexts & ComponentProps<'textarea'>;

/** A labeled field of several lines with its hint and its error beside it. */
export function TextArea({ label, hint, error, className, ...area }: TextAreaProps) {
  return (
    <FieldFrame className={className} error={error} hint={hint} label={label}>
      {(ties) => <textarea dir="auto" rows={4} {...area} {...ties} />}
    </FieldFrame>
  );
}
