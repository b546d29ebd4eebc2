import { loginAddress, SIGN_IN_CHECKS, type SignInStep } from '../../../contract/sign-in.ts';
import { type Sentence, say } from '../../languages/say.ts';
import { placeAccountError } from '../../lib/accounts.ts';
import { useForm } from '../../lib/use-form.ts';
import { CodeField } from '../../ui/code-field.tsx';
import { Field } from '../../ui/field.tsx';
import { AccountForm, PasswordSaved, type StepProps } from './account-form.tsx';
import { enterBackupCode, enterCode } from './second-factor.ts';

interface Way {
  explanation: Sentence;
  enter(code: string): Promise<void>;
  other: { at: SignInStep['at']; label: Sentence };
}

const WAYS = {
  'second-factor': {
    explanation: 'Enter the six-digit code from your authenticator app.',
    enter: enterCode,
    other: { at: 'backup-code', label: 'Use a backup code' },
  },
  'backup-code': {
    explanation: 'Enter one of the backup codes you saved. Each works once.',
    enter: enterBackupCode,
    other: { at: 'second-factor', label: 'Use your authenticator app' },
  },
} satisfies Record<string, Way>;

interface SecondFactorFormProps extends StepProps {
  step: SignInStep & { at: keyof typeof WAYS };
  /** Where to go after signing in. */
  next: string | undefined;
  /** To the other way, or back to the password. */
  onLeft(at: SignInStep['at']): void;
}

/** The second factor at sign-in, for accounts that turned it on. */
export function SecondFactorForm(props: SecondFactorFormProps) {
  const { action, step, next, onSignedIn, onLeft } = props;
  const { explanation, enter, other } = WAYS[step.at];
  const form = useForm({
    posted: step.errors,
    check: SIGN_IN_CHECKS[step.at],
    async send({ code = '' }) {
      await enter(code);
      onSignedIn();
    },
    place: placeAccountError,
  });
  const ways = [other, { at: 'sign-in', label: 'Back to sign in' }] as const;
  return (
    <>
      {step.passwordSaved && <PasswordSaved />}
      <p className="mb-5 text-muted">{say(explanation)}</p>
      <AccountForm
        action={action}
        busyLabel={say('Checking...')}
        form={form}
        submitLabel={say('Sign in')}
      >
        {step.at === 'second-factor' ? (
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
      <div className="mt-4 flex flex-wrap justify-between gap-x-6 text-sm">
        {ways.map(({ at, label }) => (
          <a
            className="text-link inline-flex min-h-11 items-center"
            href={loginAddress(at, next)}
            key={at}
            onClick={(event) => {
              event.preventDefault();
              onLeft(at);
            }}
          >
            {say(label)}
          </a>
        ))}
      </div>
    </>
  );
}
