import type { ReactNode } from 'react';
import { Lock } from './lock.tsx';

/** A list with nothing in it, and what to do about that. */
export function EmptyList({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className="card flex flex-col items-center gap-5 px-6 py-14 text-center">
      <Lock className="size-12 opacity-60" />
      <p className="text-muted">{text}</p>
      {children}
    </div>
  );
}
