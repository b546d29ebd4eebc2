import { type ReactNode, useState } from 'react';
import { say } from '../languages/say.ts';
import { messageOf } from '../lib/request-error.ts';
import type { useForm } from '../lib/use-form.ts';
import { useHydrated } from '../lib/use-hydrated.ts';
import { Alert, FormError } from '../ui/alert.tsx';

interface AccountFormProps {
  form: ReturnType<typeof useForm>;
  submitLabel: string;
  busyLabel: string;
  children: ReactNode;
}

/** Fields, what the form as a whole has to say, and the button. Disabled until it can work. */
export function AccountForm({ form, submitLabel, busyLabel, children }: AccountFormProps) {
  const hydrated = useHydrated();
  return (
    <form {...form.formProps} className="space-y-5" method="post">
      {children}
      {form.errors[''] && <FormError>{form.errors['']}</FormError>}
      <button
        className="button button-primary w-full"
        aria-busy={form.busy}
        disabled={!hydrated || form.busy}
        type="submit"
      >
        {form.busy ? busyLabel : submitLabel}
      </button>
    </form>
  );
}

type State = { at: 'idle' | 'sending' | 'sent' } | { at: 'failed'; why: string };

/** For a code that did not arrive. */
export function ResendCode({ send }: { send(): Promise<unknown> }) {
  const [state, setState] = useState<State>({ at: 'idle' });

  async function resend() {
    setState({ at: 'sending' });
    try {
      await send();
      setState({ at: 'sent' });
    } catch (error) {
      setState({ at: 'failed', why: messageOf(error) });
    }
  }

  return (
    <div className="mt-4 text-center text-sm">
      <button
        className="text-link min-h-11"
        disabled={state.at === 'sending'}
        onClick={resend}
        type="button"
      >
        {say('Send a new code')}
      </button>
      <p className="text-muted" role="status">
        {state.at === 'sent' && say('A new code is on its way.')}
      </p>
      {state.at === 'failed' && <Alert>{state.why}</Alert>}
    </div>
  );
}

/**
 * The link to the mailbox if email is kept on this server; in a new tab, so that the code's field
 * stays.
 */
export function MailboxLink() {
  return (
    <p className="mb-5">
      <a
        aria-label={say('Open the mailbox in a new tab')}
        className="text-link"
        href="/mailbox"
        rel="noopener"
        target="_blank"
      >
        {say('Open the mailbox')}
      </a>
    </p>
  );
}
