import { useState } from 'react';
import { saveFirstName } from '../../data/accounts.ts';
import { collectErrors } from '../../data/use-form.ts';
import { useSectionForm } from '../../data/use-section-form.ts';
import { Field } from '../field.tsx';
import { AccountSection } from './account-section.tsx';
import { SectionForm } from './section-form.tsx';

/** What the product calls a person. */
export function NameSection({ firstName: initial }: { firstName: string }) {
  const [status, setStatus] = useState('');
  const form = useSectionForm({
    check: ({ firstName }) =>
      collectErrors({ firstName: !firstName?.trim() && 'Enter your first name.' }),
    async send({ firstName = '' }) {
      await saveFirstName(firstName.trim());
      setStatus(`Saved. Hello, ${firstName.trim()}.`);
    },
  });
  return (
    <AccountSection
      explanation="How we greet you, here and in mails. Buyers do not see it."
      onBegun={() => setStatus('')}
      status={status}
      title="First Name"
    >
      <SectionForm busyLabel="Saving..." form={form} submitLabel="Save name">
        <Field
          autoComplete="given-name"
          defaultValue={initial}
          error={form.errors.firstName}
          label="First Name"
          name="firstName"
          required
        />
      </SectionForm>
    </AccountSection>
  );
}
