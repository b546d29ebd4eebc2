import { type MouseEvent, type ReactNode, useState } from 'react';
import type { SignInStep } from '../../../contract/sign-in.ts';
import { say } from '../../languages/say.ts';
import { messageOf } from '../../lib/request-error.ts';
import type { useForm } from '../../lib/use-form.ts';
import { Alert, FormError } from '../../ui/alert.tsx';

/** The id of a form that can be posted. */
const FORM = 'sign-in';

interface AccountFormProps {
  form: ReturnType<typeof useForm>;
  /** Where it is posted without a script, and before it is alive. */
  action?: string;
  submitLabel: string;
  busyLabel: string;
  children: ReactNode;
}

/** Fields, what the form as a whole has to say, and the button. */
export function AccountForm({ form, action, submitLabel, busyLabel, children }: AccountFormProps) {
  return (
    <form
      {...form.formProps}
      action={action}
      className="space-y-5"
      id={action && FORM}
      method="post"
    >
      {children}
      {form.errors[''] && <FormError>{form.errors['']}</FormError>}
      <button
        className="button button-primary w-full"
        aria-busy={form.busy}
        data-busy-label={busyLabel}
        disabled={form.busy}
        type="submit"
      >
        {form.busy ? busyLabel : submitLabel}
      </button>
    </form>
  );
}

/** What every step of the login page is given. */
export interface StepProps {
  /** Where its form is posted without a script. */
  action: string;
  step: SignInStep;
  onSignedIn(): void;
}

export type ResendState = { at: 'idle' | 'sending' | 'sent' } | { at: 'failed'; why: string };

interface ResendCodeProps {
  /** What came of it when the server was asked, before the page was alive. */
  posted?: ResendState;
  send(): Promise<unknown>;
}

/** For a code that did not arrive. Without a script, it posts the form that the code is typed into. */
export function ResendCode({ posted = { at: 'idle' }, send }: ResendCodeProps) {
  const [state, setState] = useState(posted);

  async function resend(event: MouseEvent) {
    event.preventDefault();
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
        form={FORM}
        name="resend"
        onClick={resend}
        type="submit"
        value="yes"
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

/** On the step after a new password was chosen. */
export function PasswordSaved() {
  return (
    <p className="mb-3 font-medium" role="status">
      {say('Your new password is saved.')}
    </p>
  );
}
