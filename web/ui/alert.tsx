import type { ReactNode } from 'react';
import type { Said } from '../../contract/fact.ts';
import { tell } from '../languages/say.ts';
import { WarningIcon } from './icons.tsx';

/** An error in red, read out at once. */
export function Alert({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p className="alert" id={id} role="alert">
      <WarningIcon className="mt-0.5 size-5 shrink-0" />
      <span>{children}</span>
    </p>
  );
}

/** What is wrong with a form as a whole, above its button; useForm moves the focus here. */
export function FormError({ children }: { children: Said }) {
  return (
    <div data-form-error tabIndex={-1}>
      <Alert>{tell(children)}</Alert>
    </div>
  );
}

/** The error of one field, where there is one. */
export function FieldError({ id, children }: { id?: string; children: Said | undefined }) {
  if (!children) return null;
  return (
    <div className="mt-2">
      <Alert id={id}>{tell(children)}</Alert>
    </div>
  );
}
