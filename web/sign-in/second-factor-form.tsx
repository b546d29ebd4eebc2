import { useState } from 'react';
import { type Sentence, say } from '../languages/say.ts';
import { checkAppCode } from '../lib/accounts.ts';
import { CodeField, useCodeForm } from '../ui/code-field.tsx';
import { Field } from '../ui/field.tsx';
import { AccountForm } from './account-form.tsx';
import { enterBackupCode, enterCode } from './second-factor.ts';

interface Way {
  explanation: Sentence;
  check(code: string | undefined): string | undefined;
  enter(code: string): Promise<void>;
  otherWay: Sentence;
}

const WAYS = {
  app: {
    explanation: 'Enter the six-digit code from your authenticator app.',
    check: checkAppCode,
    enter: enterCode,
    otherWay: 'Use a backup code',
  },
  backup: {
    explanation: 'Enter one of the backup codes you saved. Each works once.',
    check: (code: string | undefined) => (code?.trim() ? undefined : say('Enter a backup code.')),
    enter: enterBackupCode,
    otherWay: 'Use your authenticator app',
  },
} satisfies Record<string, Way>;

interface SecondFactorFormProps {
  /** A new one was chosen just now. */
  passwordSaved: boolean;
  onSignedIn(): void;
  onCanceled(): void;
}

/** The second factor at sign-in, for accounts that turned it on. */
export function SecondFactorForm(props: SecondFactorFormProps) {
  const { passwordSaved, onSignedIn, onCanceled } = props;
  const [way, setWay] = useState<keyof typeof WAYS>('app');
  return (
    <>
      {passwordSaved && (
        <p className="mb-3 font-medium" role="status">
          {say('Your new password is saved.')}
        </p>
      )}
      <WayForm key={way} onSignedIn={onSignedIn} way={way} />
      <div className="mt-4 flex flex-wrap justify-between gap-x-6 text-sm">
        <button
          className="text-link min-h-11"
          onClick={() => setWay(way === 'app' ? 'backup' : 'app')}
          type="button"
        >
          {say(WAYS[way].otherWay)}
        </button>
        <button className="text-link min-h-11" onClick={onCanceled} type="button">
          {say('Back to sign in')}
        </button>
      </div>
    </>
  );
}

function WayForm({ way, onSignedIn }: { way: keyof typeof WAYS; onSignedIn(): void }) {
  const { explanation, check, enter } = WAYS[way];
  const form = useCodeForm({ check, enter, onEntered: onSignedIn });
  return (
    <>
      <p className="mb-5 text-muted">{say(explanation)}</p>
      <AccountForm busyLabel={say('Checking...')} form={form} submitLabel={say('Sign in')}>
        {way === 'app' ? (
          <CodeField error={form.errors.code} />
        ) : (
          <Field
            autoCapitalize="none"
            autoComplete="off"
            autoFocus
            error={form.errors.code}
            label={say('Backup code')}
            maxLength={32}
            name="code"
            required
            spellCheck={false}
          />
        )}
      </AccountForm>
    </>
  );
}
