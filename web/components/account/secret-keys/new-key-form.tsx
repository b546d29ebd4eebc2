import { useState } from 'react';
import { MAX_KEY_NAME_LENGTH } from '../../../../contract/limits.ts';
import { messageOf } from '../../../data/request-error.ts';
import { isSignInStale, needSession } from '../../../data/sign-in-again.ts';
import { collectErrors, type FormErrors, useForm } from '../../../data/use-form.ts';
import { Field } from '../../field.tsx';
import { ChangeFailure } from '../change-failure.tsx';
import { SectionForm } from '../section-form.tsx';

/** Asks for the name by which a key will be told from the others. */
export function NewKeyForm({ onCreate }: { onCreate(name: string): Promise<void> }) {
  const [stale, setStale] = useState<unknown>();
  const form = useForm({
    check: ({ name = '' }) => collectErrors({ name: name.trim() === '' && 'Give the key a name.' }),
    async send({ name = '' }) {
      setStale(undefined);
      await needSession(onCreate(name));
      form.formProps.ref.current?.reset();
    },
    place(error): FormErrors {
      if (!isSignInStale(error)) return { name: messageOf(error) };
      setStale(error);
      return {};
    },
  });
  return (
    <SectionForm busyLabel="Creating..." form={form} submitLabel="Create key">
      <Field
        autoComplete="off"
        error={form.errors.name}
        hint={`What will use it, such as "Shop importer". At most ${MAX_KEY_NAME_LENGTH} characters.`}
        label="Name of a new key"
        name="name"
        type="text"
      />
      <ChangeFailure error={stale} />
    </SectionForm>
  );
}
