import { type ComponentProps, type ReactNode, useId } from 'react';
import { FieldError } from './field-error.tsx';

interface FieldProps extends ComponentProps<'input'> {
  label: string;
  hint?: ReactNode;
  error?: string;
}

/** A labelled input with its hint and its error beside it. */
export function Field({ label, hint, error, className = '', ...input }: FieldProps) {
  const id = useId();
  return (
    <div className={className}>
      <label className="mb-1.5 block font-medium" htmlFor={id}>
        {label}
      </label>
      <input
        {...input}
        aria-describedby={[hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')}
        aria-invalid={error ? true : undefined}
        className="input"
        id={id}
      />
      {hint && (
        <div className="mt-1.5 text-sm text-muted" id={`${id}-hint`}>
          {hint}
        </div>
      )}
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  );
}
