import type { ReactNode } from 'react';
import { Alert } from './alert.tsx';

/** What is wrong with a form as a whole, above its button; useForm moves the focus here. */
export function FormError({ children }: { children: ReactNode }) {
  return (
    <div data-form-error tabIndex={-1}>
      <Alert>{children}</Alert>
    </div>
  );
}
