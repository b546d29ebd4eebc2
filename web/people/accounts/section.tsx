import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { Said } from '../../../contract/fact.ts';
import { say } from '../../languages/say.ts';
import { placeAccountError } from '../../lib/accounts.ts';
import { needSession } from '../../lib/sign-in-again.ts';
import { type FormOptions, useForm } from '../../lib/use-form.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import { FormError } from '../../ui/alert.tsx';
import { PasswordField } from '../../ui/password-fields.tsx';

interface AccountSectionProps {
  title: string;
  /** One line about its purpose. */
  explanation: ReactNode;
  /** What has just been done. It gets the focus, because what was pressed may be gone. */
  status?: string;
  /** A form of it was sent: earlier news is outdated. */
  onBegun?(): void;
  children?: ReactNode;
}

/** One section of the account page: its heading, its purpose, and its actions. */
export function AccountSection(props: AccountSectionProps) {
  const { title, explanation, status = '', onBegun, children } = props;
  const headingId = useId();
  const outcome = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (status) outcome.current?.focus();
  }, [status]);
  return (
    <section aria-labelledby={headingId} className="account-section" onSubmitCapture={onBegun}>
      <div>
        <h2 className="text-xl" id={headingId}>
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

interface SectionFormProps {
  form: ReturnType<typeof useForm>;
  submitLabel: string;
  busyLabel: string;
  /** What it does cannot be undone. */
  isDangerous?: boolean;
  /** An alternative to press. */
  beside?: ReactNode;
  children: ReactNode;
}

/** A form of the account page, where no button is the primary one. */
export function SectionForm(props: SectionFormProps) {
  const { form, submitLabel, busyLabel, isDangerous = false, beside, children } = props;
  const hydrated = useHydrated();
  return (
    <form {...form.formProps} className="space-y-5" method="post">
      {children}
      {form.errors[''] && <FormError>{form.errors['']}</FormError>}
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <button
          aria-busy={form.busy}
          className={`button ${isDangerous ? 'button-danger' : 'button-secondary'}`}
          disabled={!hydrated || form.busy}
          type="submit"
        >
          {form.busy ? busyLabel : submitLabel}
        </button>
        {beside}
      </div>
    </form>
  );
}

interface CurrentPasswordProps {
  /** Tells password managers whose password this is. */
  email: string;
  error: Said | undefined;
}

/** Asked again for actions that could cost the account, so that an open browser is not enough. */
export function CurrentPassword({ email, error }: CurrentPasswordProps) {
  return (
    <>
      <input autoComplete="username" name="username" type="hidden" value={email} />
      <PasswordField
        autoComplete="current-password"
        error={error}
        label={say('Current password')}
        name="currentPassword"
        required
      />
    </>
  );
}

interface ConfirmationProps {
  /** What will be done, and what it means. */
  children: ReactNode;
  label: string;
  busyLabel: string;
  onConfirmed(): Promise<void>;
  onKept(): void;
}

/** Asks for confirmation of what cannot be undone. */
export function Confirmation(props: ConfirmationProps) {
  const { children, label, busyLabel, onConfirmed, onKept } = props;
  const [busy, setBusy] = useState(false);
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);

  async function confirm() {
    setBusy(true);
    await onConfirmed();
  }

  return (
    <div className="rounded-card bg-well p-5">
      <p>{children}</p>
      <div className="mt-4 flex flex-wrap gap-3">
        <button
          aria-busy={busy}
          className="button button-danger button-small"
          disabled={busy}
          onClick={confirm}
          type="button"
        >
          {busy ? busyLabel : label}
        </button>
        <button
          className="button button-secondary button-small"
          disabled={busy}
          onClick={onKept}
          ref={keep}
          type="button"
        >
          {say('Keep it')}
        </button>
      </div>
    </div>
  );
}

/** Whether a confirmation is open in place of a button, to which the focus returns. */
export function useQuestion() {
  const [isAsking, setIsAsking] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasAsked = useRef(false);

  useEffect(() => {
    if (wasAsked.current && !isAsking) button.current?.focus();
    wasAsked.current = isAsking;
  }, [isAsking]);

  return { isAsking, button, ask: () => setIsAsking(true), close: () => setIsAsking(false) };
}

/** A form of the account page: leads to sign-in if the session has ended meanwhile. */
export function useSectionForm({ check, send }: Pick<FormOptions, 'check' | 'send'>) {
  return useForm({
    check,
    send: (values) => needSession(send(values)),
    place: placeAccountError,
  });
}

/** Leaves a step that was begun. */
export function CancelButton({ onPressed }: { onPressed(): void }) {
  return (
    <button
      className="text-link mt-3 min-h-11 min-w-11 text-left text-sm"
      onClick={onPressed}
      type="button"
    >
      {say('Cancel')}
    </button>
  );
}
