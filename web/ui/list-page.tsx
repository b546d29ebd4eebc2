import { type ReactNode, useEffect, useRef } from 'react';

interface ListPageProps {
  title: string;
  explanation: string;
  /** Where the page was come to from. */
  back: { href: string; words: string };
  /** What browsers without JavaScript are told. */
  scriptless: string;
  /** What came of the last change; empty before there was one. */
  said: string;
  children: ReactNode;
}

/** A page on which its viewer makes, changes and ends what it lists. */
export function ListPage({ title, explanation, back, scriptless, said, children }: ListPageProps) {
  const outcome = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // What was pressed is gone.
    if (said) outcome.current?.focus();
  }, [said]);

  return (
    <div className="list-page">
      <div>
        <h1 className="text-3xl sm:text-4xl">{title}</h1>
        <p className="mt-3 text-lg text-muted">{explanation}</p>
        <p className="mt-3">
          <a className="text-link inline-flex min-h-11 items-center" href={back.href}>
            {back.words}
          </a>
        </p>
        <noscript>
          <p className="mt-3">{scriptless}</p>
        </noscript>
      </div>
      <p className={said ? 'font-medium' : 'sr-only'} ref={outcome} role="status" tabIndex={-1}>
        {said}
      </p>
      {children}
    </div>
  );
}
