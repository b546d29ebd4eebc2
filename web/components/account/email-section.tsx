import { useState } from 'react';
import { AccountSection } from './account-section.tsx';
import { ConfirmEmailForm } from './confirm-email-form.tsx';
import { NewEmailForm } from './new-email-form.tsx';

interface EmailSectionProps {
  email: string;
  /** Without a password, the provider that the person signs in by keeps the address. */
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
    setStatus(`Your e-mail address is now ${newEmail}.`);
    onChanged(newEmail);
  }

  return (
    <AccountSection
      explanation={
        hasPassword
          ? 'You sign in with it, and mails about your account go to it.'
          : 'You sign in by a provider, which keeps your address: change it there.'
      }
      onBegun={() => setStatus('')}
      status={status}
      title="E-mail address"
    >
      <p className="mb-5 font-medium break-words">{email}</p>
      {hasPassword && step.at === 'ask' && (
        <NewEmailForm email={email} onSent={(request) => setStep({ at: 'confirm', ...request })} />
      )}
      {step.at === 'confirm' && (
        <ConfirmEmailForm
          {...step}
          onCancelled={() => setStep({ at: 'ask' })}
          onConfirmed={() => finish(step.newEmail)}
        />
      )}
    </AccountSection>
  );
}
