import type { ReactNode } from 'react';
import { say } from '../languages/say.ts';
import { sayWith } from '../languages/say-with.ts';
import { LinkKey, STRAY_KEY } from './link-key.tsx';
import { Lock } from './spinner.tsx';

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

/** Where to go on from an address at which there is nothing. */
export function WaysOut() {
  return (
    <nav aria-label={say('Where to go next')} className="w-full text-base">
      <a className="button button-secondary w-full max-w-xs text-ink" href="/explore">
        {say('Explore other links')}
      </a>
      <p className="mt-2 flex flex-wrap justify-center gap-x-6">
        <a className="text-link inline-flex min-h-11 items-center" href="/purchases">
          {say('Find my purchase')}
        </a>
        <a className="text-link inline-flex min-h-11 items-center" href="/">
          {say('Go to Homepage')}
        </a>
      </p>
    </nav>
  );
}

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

/** The operator's address, where the words send people to support. */
export function SupportLine({ email }: { email: string | undefined }) {
  if (!email) return null;
  return (
    <p className="text-base">
      {sayWith('Support: {email}', {
        email: (
          <a className="text-link text-ink" href={`mailto:${email}`}>
            {email}
          </a>
        ),
      })}
    </p>
  );
}
