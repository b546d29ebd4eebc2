import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type Sentence, say } from '../../languages/say.ts';
import type { PageContext } from '../../page.ts';
import { Field } from '../../ui/field.tsx';

const SECTIONS = [
  { href: '/operator', label: 'Overview' },
  { href: '/operator/links', label: 'Links' },
  { href: '/operator/reports', label: 'Reports' },
  { href: '/operator/sellers', label: 'Sellers' },
  { href: '/operator/purchases', label: 'Purchases' },
  { href: '/operator/undelivered', label: 'Undelivered' },
  { href: '/operator/acts', label: 'Log of acts' },
] as const satisfies { href: string; label: Sentence }[];

interface OperatorFrameProps {
  ctx: PageContext;
  title: string;
  /** What was just done, in a sentence. It gets the focus: what was pressed may be gone. */
  done?: Done;
  children: ReactNode;
}

const NOTHING: Done = { words: '' };

/** What all of the operator's pages share: their heading, and the ways between them. */
export function OperatorFrame({ ctx, title, done = NOTHING, children }: OperatorFrameProps) {
  const outcome = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (done.words) outcome.current?.focus();
  }, [done]);
  return (
    <div className="list-page">
      <div>
        <h1 className="text-3xl sm:text-4xl">{title}</h1>
        <nav aria-label={say('Operator')} className="mt-3 flex flex-wrap gap-x-6">
          {SECTIONS.map(({ href, label }) => (
            <a
              aria-current={ctx.path === href ? 'page' : undefined}
              className="text-link inline-flex min-h-11 min-w-11 items-center aria-[current]:font-semibold aria-[current]:no-underline"
              href={href}
              key={href}
            >
              {say(label)}
            </a>
          ))}
        </nav>
        <noscript>
          <p className="mt-3">
            {say(
              'You can read this page. Acting requires JavaScript, which is turned off in this browser.',
            )}
          </p>
        </noscript>
      </div>
      <p
        className={done.words ? 'font-medium' : 'sr-only'}
        ref={outcome}
        role="status"
        tabIndex={-1}
      >
        {done.words}
      </p>
      {children}
    </div>
  );
}

interface SectionProps {
  id: string;
  title: string;
  children: ReactNode;
}

export function Section({ id, title, children }: SectionProps) {
  return (
    <section aria-labelledby={id}>
      <h2 className="mb-4 text-2xl" id={id}>
        {title}
      </h2>
      {children}
    </section>
  );
}

interface TabsProps {
  label: string;
  tabs: { href: string; words: string; isCurrent: boolean }[];
}

/** The parts of a list, each an address of its own. */
export function Tabs({ label, tabs }: TabsProps) {
  return (
    <nav aria-label={label} className="period-tabs w-fit">
      {tabs.map(({ href, words, isCurrent }) => (
        <a aria-current={isCurrent ? 'page' : undefined} className="tab" href={href} key={href}>
          {words}
        </a>
      ))}
    </nav>
  );
}

interface SearchFormProps {
  /** Of the list. */
  address: string;
  label: string;
  hint: string;
  /** What is searched for now. */
  search: string;
  /** What else is asked for with it. */
  hidden?: Record<string, string>;
}

/** Looks through a list, without JavaScript too. */
export function SearchForm({ address, label, hint, search, hidden = {} }: SearchFormProps) {
  return (
    <search>
      <form action={address} className="flex flex-wrap items-end gap-3">
        <Field
          className="min-w-0 flex-1 basis-64"
          defaultValue={search}
          label={label}
          maxLength={254}
          name="search"
        />
        {Object.entries(hidden).map(([name, value]) => (
          <input key={name} name={name} type="hidden" value={value} />
        ))}
        <button className="button button-primary" type="submit">
          {say('Find')}
        </button>
        <p className="basis-full text-sm text-muted">{hint}</p>
      </form>
    </search>
  );
}

interface Done {
  words: string;
}

/** The data of a page on which operators act: it is read anew after each act, which is then told. */
export function useActs<Data>(data: Data, read: () => Promise<Data>) {
  const [shown, show] = useState(data);
  const [done, setDone] = useState(NOTHING);
  return {
    shown,
    done,
    async tell(words: string) {
      show(await read());
      setDone({ words });
    },
  };
}
