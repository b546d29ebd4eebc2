import { loginAddress, SIGN_IN_CHECKS, type SignInStep } from '../../../contract/sign-in.ts';
import { say, tell } from '../../languages/say.ts';
import { sayWith } from '../../languages/say-with.ts';
import {
  placeAccountError,
  saveFirstName,
  sendVerificationCode,
  signUp,
  verifyEmail,
} from '../../lib/accounts.ts';
import { useForm } from '../../lib/use-form.ts';
import { CodeField } from '../../ui/code-field.tsx';
import { Field } from '../../ui/field.tsx';
import { NewPasswordFields } from '../../ui/password-fields.tsx';
import {
  AccountForm,
  MailboxLink,
  ResendCode,
  type ResendState,
  type StepProps,
} from './account-form.tsx';

interface SignUpFormProps extends Omit<StepProps, 'onSignedIn'> {
  /** By an address that lets people in where not everybody may create an account. */
  isInvited: boolean;
  onSignedUp(email: string): void;
}

export function SignUpForm({
  action,
  step: { email, firstName, errors },
  isInvited,
  onSignedUp,
}: SignUpFormProps) {
  const form = useForm({
    posted: errors,
    check: SIGN_IN_CHECKS['sign-up'],
    async send({ firstName = '', email = '', password = '' }) {
      await signUp({ firstName: firstName.trim(), email, password });
      onSignedUp(email);
    },
    place: placeAccountError,
  });
  return (
    <AccountForm
      action={action}
      busyLabel={say('Creating your account...')}
      form={form}
      submitLabel={say('Create account')}
    >
      {isInvited && <input name="invited" type="hidden" value="yes" />}
      <Field
        autoComplete="given-name"
        defaultValue={firstName}
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

/** What came of a form that asked for another code. */
export function resendOf({ isResent, errors }: SignInStep): ResendState {
  if (errors?.resend) return { at: 'failed', why: tell(errors.resend) };
  return { at: isResent ? 'sent' : 'idle' };
}

interface VerifyFormProps extends StepProps {
  /** Where to go after signing in. */
  next: string | undefined;
  /** Mail is kept on this server's own page. */
  mailbox: boolean;
}

export function VerifyForm({ action, step, next, mailbox, onSignedIn }: VerifyFormProps) {
  const { email } = step;
  const form = useForm({
    posted: step.errors,
    check: SIGN_IN_CHECKS.verify,
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
      <AccountForm
        action={action}
        busyLabel={say('Checking...')}
        form={form}
        submitLabel={say('Confirm')}
      >
        <input name="email" type="hidden" value={email} />
        <CodeField error={form.errors.code} />
      </AccountForm>
      <ResendCode posted={resendOf(step)} send={() => sendVerificationCode(email)} />
      <p className="text-center text-sm">
        <a
          className="text-link inline-flex min-h-11 items-center"
          href={loginAddress('sign-up', next)}
        >
          {say('Use a different email')}
        </a>
      </p>
    </>
  );
}

/** Asks people signed in through a service that did not share the first name. */
export function FirstNameForm({ action, step, onSignedIn }: StepProps) {
  const form = useForm({
    posted: step.errors,
    check: SIGN_IN_CHECKS['first-name'],
    async send({ firstName = '' }) {
      await saveFirstName(firstName.trim());
      onSignedIn();
    },
    place: placeAccountError,
  });
  return (
    <>
      <p className="mb-5 text-muted">
        {say('You are signed in. One thing is missing: your first name.')}
      </p>
      <AccountForm
        action={action}
        busyLabel={say('Saving...')}
        form={form}
        submitLabel={say('Continue')}
      >
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
