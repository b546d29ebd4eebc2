import { saveFirstName } from '../../data/accounts.ts';
import { useForm } from '../../data/use-form.ts';
import { Field } from '../field.tsx';
import { AccountForm } from './account-form.tsx';

/** Asks who was signed in by a provider that did not tell the first name. */
export function FirstNameForm({ onSaved }: { onSaved(): void }) {
  const form = useForm({
    check: ({ firstName }): Record<string, string> =>
      firstName?.trim() ? {} : { firstName: 'Enter your first name.' },
    async send({ firstName = '' }) {
      await saveFirstName(firstName.trim());
      onSaved();
    },
  });
  return (
    <>
      <p className="mb-5 text-muted">You are signed in. One thing is missing: your first name.</p>
      <AccountForm busyLabel="Saving..." form={form} submitLabel="Continue">
        <Field
          autoComplete="given-name"
          autoFocus
          error={form.errors.firstName}
          label="First Name"
          name="firstName"
          required
        />
      </AccountForm>
    </>
  );
}
