import { type ReactNode, useEffect, useId, useRef } from 'react';

interface AccountSectionProps {
  title: string;
  /** One line on what it is for. */
  explanation: ReactNode;
  /** What has just been done. It gets the focus: what was pressed may be gone. */
  status?: string;
  /** A form of it was sent: what was done before is no news any more. */
  onBegun?(): void;
  children?: ReactNode;
}

/** One matter of the account page: its heading, what it is for, and what can be done about it. */
export function AccountSection(props: AccountSectionProps) {
  const { title, explanation, status = '', onBegun, children } = props;
  const id = useId();
  const outcome = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (status) outcome.current?.focus();
  }, [status]);
  return (
    <section aria-labelledby={id} className="account-section" onSubmitCapture={onBegun}>
      <div>
        <h2 className="text-xl" id={id}>
          {title}
        </h2>
        <p className="mt-1.5 text-muted">{explanation}</p>
      </div>
      <div>
        {children}
        <p
          className={status && 'mt-5 font-medium first:mt-0'}
          ref={outcome}
          role="status"
          tabIndex={-1}
        >
          {status}
        </p>
      </div>
    </section>
  );
}
