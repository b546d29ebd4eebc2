import { type ReactNode, useId } from 'react';

interface AccountSectionProps {
  title: string;
  /** One line on what it is for. */
  explanation: ReactNode;
  children: ReactNode;
}

/** One matter of the account page: its heading, what it is for, and what can be done about it. */
export function AccountSection({ title, explanation, children }: AccountSectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="card p-6 sm:p-8">
      <h2 className="text-xl" id={id}>
        {title}
      </h2>
      <p className="mt-1.5 text-muted">{explanation}</p>
      <div className="mt-6">{children}</div>
    </section>
  );
}
