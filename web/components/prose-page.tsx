import type { ReactNode } from 'react';

/** A document to read. */
export function ProsePage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <article className="prose mx-auto w-full max-w-2xl px-5 py-14 sm:py-20">
      <h1>{title}</h1>
      {children}
    </article>
  );
}
