import { requestEmailChange } from '../../data/accounts.ts';
import { checkEmail } from '../../data/check-email.ts';
import { collectErrors } from '../../data/use-form.ts';
import { useSectionForm } from '../../data/use-section-form.ts';
import { Field } from '../field.tsx';
import { CurrentPassword } from './current-password.tsx';
import { SectionForm } from './section-form.tsx';

interface NewEmailFormProps {
  email: string;
  onSent(request: { newEmail: string; password: string }): void;
}

/** Asks for a code to the new address. */
export function NewEmailForm({ email, onSent }: NewEmailFormProps) {
  const form = useSectionForm({
    check: ({ email, currentPassword }) =>
      collectErrors({
        email: checkEmail(email),
        currentPassword: !currentPassword && 'Enter your current password.',
      }),
    async send({ email = '', currentPassword = '' }) {
      const request = { newEmail: email.trim(), password: currentPassword };
      await requestEmailChange(request.newEmail, request.password);
      onSent(request);
    },
  });
  return (
    <SectionForm busyLabel="Sending..." form={form} submitLabel="Send code to new address">
      <Field
        autoComplete="email"
        error={form.errors.email}
        label="New e-mail address"
        name="email"
        required
        type="email"
      />
      <CurrentPassword email={email} error={form.errors.currentPassword} />
    </SectionForm>
  );
}
