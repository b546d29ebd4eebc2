import { signUp } from '../../data/accounts.ts';
import { checkEmail } from '../../data/check-email.ts';
import { checkNewPassword } from '../../data/check-password.ts';
import { placeAccountError } from '../../data/place-account-error.ts';
import { collectErrors, useForm } from '../../data/use-form.ts';
import { Field } from '../field.tsx';
import { AccountForm } from './account-form.tsx';
import { Agreement } from './agreement.tsx';
import { NewPasswordFields } from './new-password-fields.tsx';

interface SignUpFormProps {
  /** To begin with. */
  email: string;
  onSignedUp(email: string): void;
}

export function SignUpForm({ email, onSignedUp }: SignUpFormProps) {
  const form = useForm({
    check: ({ firstName, email, password, confirmation }) =>
      collectErrors({
        firstName: !firstName?.trim() && 'Enter your first name.',
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
    <AccountForm busyLabel="Creating your account..." form={form} submitLabel="Create account">
      <Field
        autoComplete="given-name"
        error={form.errors.firstName}
        label="First Name"
        name="firstName"
        required
      />
      <Field
        autoComplete="username"
        defaultValue={email}
        error={form.errors.email}
        label="Email"
        name="email"
        required
        type="email"
      />
      <NewPasswordFields errors={form.errors} />
      <Agreement />
    </AccountForm>
  );
}
