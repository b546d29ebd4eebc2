import { isBlank } from '../../contract/characters.ts';
import { say } from '../languages/say.ts';
import { sayWith } from '../languages/say-with.ts';
import {
  checkCode,
  checkEmail,
  placeAccountError,
  saveFirstName,
  sendVerificationCode,
  signUp,
  verifyEmail,
} from '../lib/accounts.ts';
import { collectErrors, useForm } from '../lib/use-form.ts';
import { CodeField } from '../ui/code-field.tsx';
import { Field } from '../ui/field.tsx';
import { checkNewPassword, NewPasswordFields } from '../ui/password-fields.tsx';
import { AccountForm, MailboxLink, ResendCode } from './account-form.tsx';

interface SignUpFormProps {
  /** To begin with. */
  email: string;
  onSignedUp(email: string): void;
}

export function SignUpForm({ email, onSignedUp }: SignUpFormProps) {
  const form = useForm({
    check: ({ firstName, email, password, confirmation }) =>
      collectErrors({
        firstName: isBlank(firstName ?? '') && say('Enter your first name.'),
        email: checkEmail(email),
        ...checkNewPassword(password, confirmation),
      }),
    async send({ firstName = '', email = '', password = '' }) {
      await signUp({ firstName: firstName.trim(), email, password });
      onSignedUp(email);
    },
    place: placeAccountError,
  });
  return (
    <AccountForm
      busyLabel={say('Creating your account...')}
      form={form}
      submitLabel={say('Create account')}
    >
      <Field
        autoComplete="given-name"
        error={form.errors.firstName}
        label={say('First Name')}
        name="firstName"
        required
      />
      <Field
        autoComplete="username"
        defaultValue={email}
        error={form.errors.email}
        label={say('Email')}
        name="email"
        required
        type="email"
      />
      <NewPasswordFields errors={form.errors} />
      <Agreement />
    </AccountForm>
  );
}

/** What creating an account means. */
function Agreement() {
  return (
    <p className="text-sm text-muted">
      {sayWith(
        'By creating an account you agree to the {terms} and the {privacy} page. Minimum age 13.',
        {
          terms: (
            <a className="text-link" href="/terms" target="_blank" rel="noopener">
              {say('Terms')}
            </a>
          ),
          privacy: (
            <a className="text-link" href="/privacy" target="_blank" rel="noopener">
              {say('Privacy')}
            </a>
          ),
        },
      )}
    </p>
  );
}

interface VerifyFormProps {
  email: string;
  /** Mail is kept on this server's own page. */
  mailbox: boolean;
  onSignedIn(): void;
}

export function VerifyForm({ email, mailbox, onSignedIn }: VerifyFormProps) {
  const form = useForm({
    check: ({ code }) => collectErrors({ code: checkCode(code) }),
    async send({ code = '' }) {
      await verifyEmail(email, code);
      onSignedIn();
    },
    place: placeAccountError,
  });
  return (
    <>
      <p className="mb-5 text-muted">
        {sayWith('We sent a six-digit code to {email}. Enter it to confirm your address.', {
          email: <strong className="text-ink">{email}</strong>,
        })}
      </p>
      {mailbox && <MailboxLink />}
      <AccountForm busyLabel={say('Checking...')} form={form} submitLabel={say('Confirm')}>
        <CodeField error={form.errors.code} />
      </AccountForm>
      <ResendCode send={() => sendVerificationCode(email)} />
      <p className="text-center text-sm">
        <a className="text-link inline-flex min-h-11 items-center" href="/login?mode=sign-up">
          {say('Sign up again')}
        </a>
      </p>
    </>
  );
}

/** Asks people signed in through a service that did not share the first name. */
export function FirstNameForm({ onSaved }: { onSaved(): void }) {
  const form = useForm({
    check: ({ firstName }): Record<string, string> =>
      isBlank(firstName ?? '') ? { firstName: say('Enter your first name.') } : {},
    async send({ firstName = '' }) {
      await saveFirstName(firstName.trim());
      onSaved();
    },
  });
  return (
    <>
      <p className="mb-5 text-muted">
        {say('You are signed in. One thing is missing: your first name.')}
      </p>
      <AccountForm busyLabel={say('Saving...')} form={form} submitLabel={say('Continue')}>
        <Field
          autoComplete="given-name"
          autoFocus
          error={form.errors.firstName}
          label={say('First Name')}
          name="firstName"
          required
        />
      </AccountForm>
    </>
  );
}
