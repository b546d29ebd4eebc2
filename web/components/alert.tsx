import type { ReactNode } from 'react';
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
