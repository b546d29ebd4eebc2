import { useState } from 'react';
import { checkCode, checkEmail } from '../../../contract/account-checks.ts';
import { collectErrors } from '../../../contract/form-errors.ts';
import { say } from '../../languages/say.ts';
import { sayWith } from '../../languages/say-with.ts';
import { confirmEmailChange, requestEmailChange } from '../../lib/accounts.ts';
import { needSession } from '../../lib/sign-in-again.ts';
import { CodeField } from '../../ui/code-field.tsx';
import { Field } from '../../ui/field.tsx';
import { ResendCode } from './account-form.tsx';
import { AccountSection, CurrentPassword, SectionForm, useSectionForm } from './section.tsx';

interface EmailSectionProps {
  email: string;
  /** Without a password, the sign-in service that the person uses manages the address. */
  hasPassword: boolean;
  onChanged(email: string): void;
}

type Step = { at: 'ask' } | { at: 'confirm'; newEmail: string; password: string };

/** The address a person signs in with, and its change by a code to the new one. */
export function EmailSection({ email, hasPassword, onChanged }: EmailSectionProps) {
  const [step, setStep] = useState<Step>({ at: 'ask' });
  const [status, setStatus] = useState('');

  function finish(newEmail: string) {
    setStep({ at: 'ask' });
    setStatus(say('Your email address is now {email}.', { email: newEmail }));
    onChanged(newEmail);
  }

  return (
    <AccountSection
      explanation={
        hasPassword
          ? say('You sign in with this address, and emails about your account are sent to it.')
          : say(
              'You sign in through another service, which manages your email address. Change it there.',
            )
      }
      onBegun={() => setStatus('')}
      status={status}
      title={say('Email address')}
    >
      <p className="mb-5 font-medium break-words">{email}</p>
      {hasPassword && step.at === 'ask' && (
        <NewEmailForm email={email} onSent={(request) => setStep({ at: 'confirm', ...request })} />
      )}
      {step.at === 'confirm' && (
        <ConfirmEmailForm
          {...step}
          onCanceled={() => setStep({ at: 'ask' })}
          onConfirmed={() => finish(step.newEmail)}
        />
      )}
    </AccountSection>
  );
}

interface ConfirmEmailFormProps {
  newEmail: string;
  /** Kept in memory since it was entered, to send another code. */
  password: string;
  onConfirmed(): void;
  onCanceled(): void;
}

/** Proves the new address with the code that was emailed to it. */
function ConfirmEmailForm(props: ConfirmEmailFormProps) {
  const { newEmail, password, onConfirmed, onCanceled } = props;
  const form = useSectionForm({
    check: ({ code }) => collectErrors({ code: checkCode(code) }),
    async send({ code = '' }) {
      await confirmEmailChange(newEmail, code);
      onConfirmed();
    },
  });
  return (
    <>
      <p className="mb-5 text-muted">
        {sayWith(
          'If {email} is available, a six-digit code is on its way to it. Nothing changes until you enter it.',
          { email: <strong className="break-words text-ink">{newEmail}</strong> },
        )}
      </p>
      <SectionForm
        beside={
          <button className="text-link min-h-11" onClick={onCanceled} type="button">
            {say('Keep current address')}
          </button>
        }
        busyLabel={say('Checking...')}
        form={form}
        submitLabel={say('Change address')}
      >
        <CodeField error={form.errors.code} />
      </SectionForm>
      <ResendCode send={() => needSession(requestEmailChange(newEmail, password))} />
    </>
  );
}

interface NewEmailFormProps {
  email: string;
  onSent(request: { newEmail: string; password: string }): void;
}

/** Asks for a code to the new address. */
function NewEmailForm({ email, onSent }: NewEmailFormProps) {
  const form = useSectionForm({
    check: ({ email, currentPassword }) =>
      collectErrors({
        email: checkEmail(email),
        currentPassword: !currentPassword && say('Enter your current password.'),
      }),
    async send({ email = '', currentPassword = '' }) {
      const request = { newEmail: email.trim(), password: currentPassword };
      await requestEmailChange(request.newEmail, request.password);
      onSent(request);
    },
  });
  return (
    <SectionForm
      busyLabel={say('Sending...')}
      form={form}
      submitLabel={say('Send code to new address')}
    >
      <Field
        autoComplete="email"
        error={form.errors.email}
        label={say('New email address')}
        name="email"
        required
        type="email"
      />
      <CurrentPassword email={email} error={form.errors.currentPassword} />
    </SectionForm>
  );
}
