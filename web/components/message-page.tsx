import type { ReactNode } from 'react';
import { LinkKey, STRAY_KEY } from './link-key.tsx';
import { Lock } from './lock.tsx';

interface MessagePageProps {
  title: string;
  /** What became of the lock, or a key that fits none. */
  figure: 'lock-open' | 'lock-closed' | 'stray-key';
  children: ReactNode;
}

/** One thing to say and what to do next. */
export function MessagePage({ title, figure, children }: MessagePageProps) {
  return (
    <div className="mx-auto w-full max-w-lg px-5 py-16 text-center sm:py-24">
      {figure === 'lock-open' && <Lock className="lock-opens mx-auto mb-8 size-20" open />}
      {figure === 'lock-closed' && <Lock className="mx-auto mb-8 size-20" />}
      {figure === 'stray-key' && (
        <LinkKey className="mx-auto mb-8 w-32 -rotate-12" id={STRAY_KEY} />
      )}
      <h1 className="text-3xl sm:text-4xl">{title}</h1>
      <div className="mt-4 flex flex-col items-center gap-6 text-lg text-muted">{children}</div>
    </div>
  );
}
