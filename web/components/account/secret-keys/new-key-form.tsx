import { MAX_KEY_NAME_LENGTH } from '../../../../contract/limits.ts';
import { messageOf } from '../../../data/request-error.ts';
import { isSignedOut, signInAddress } from '../../../data/sign-in-again.ts';
import { collectErrors, useForm } from '../../../data/use-form.ts';
import { Field } from '../../field.tsx';
import { SectionForm } from '../section-form.tsx';

/** Asks for the name by which a key will be told from the others. */
export function NewKeyForm({ onCreate }: { onCreate(name: string): Promise<void> }) {
  const form = useForm({
    check: ({ name = '' }) => collectErrors({ name: name.trim() === '' && 'Give the key a name.' }),
    async send({ name = '' }) {
      await onCreate(name);
      form.formProps.ref.current?.reset();
    },
    place(error) {
      if (isSignedOut(error)) location.assign(signInAddress());
      return { name: messageOf(error) };
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
    </SectionForm>
  );
}
