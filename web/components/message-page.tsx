import type { ReactNode } from 'react';
import { Lock } from './lock.tsx';

interface MessagePageProps {
  title: string;
  /** What became of the lock; none where it has no part. */
  lock?: 'open' | 'closed';
  children: ReactNode;
}

/** One thing to say and what to do next. */
export function MessagePage({ title, lock, children }: MessagePageProps) {
  return (
    <div className="mx-auto w-full max-w-lg px-5 py-16 text-center sm:py-24">
      {lock === 'open' && <Lock className="lock-opens mx-auto mb-8 size-20" open />}
      {lock === 'closed' && <Lock className="mx-auto mb-8 size-20" />}
      <h1 className="text-3xl sm:text-4xl">{title}</h1>
      <div className="mt-4 flex flex-col items-center gap-6 text-lg text-muted">{children}</div>
    </div>
  );
}
