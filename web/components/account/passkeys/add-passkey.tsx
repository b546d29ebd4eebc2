import { useState } from 'react';
import type { PasskeyDetails } from '../../../../contract/account-details.ts';
import { addPasskey } from '../../../data/passkeys.ts';
import { needSession } from '../../../data/sign-in-again.ts';
import { collectErrors, useForm } from '../../../data/use-form.ts';
import { useHydrated } from '../../../data/use-hydrated.ts';
import { Field } from '../../field.tsx';
import { ChangeFailure } from '../change-failure.tsx';

interface AddPasskeyProps {
  /** The name to begin with. */
  device: string;
  onAdded(passkey: PasskeyDetails): void;
}

/** Asks this device, or one at hand, for a passkey. */
export function AddPasskey({ device, onAdded }: AddPasskeyProps) {
  const hydrated = useHydrated();
  const [failure, setFailure] = useState<unknown>();
  const { busy, errors, formProps } = useForm({
    check: ({ name }) => collectErrors({ name: !name?.trim() && 'Name the passkey.' }),
    async send({ name = '' }) {
      setFailure(undefined);
      await needSession(addPasskey(name)).then(onAdded, setFailure);
    },
  });
  return (
    <form {...formProps} className="mt-6 border-line border-t pt-6" method="post">
      <div className="flex flex-wrap items-start gap-3">
        <Field
          autoComplete="off"
          className="min-w-0 flex-1 basis-56"
          defaultValue={device}
          error={errors.name}
          label="Name of the new passkey"
          maxLength={64}
          name="name"
          required
        />
        <button
          aria-busy={busy}
          className="button button-secondary sm:mt-[1.875rem]"
          disabled={!hydrated || busy}
          type="submit"
        >
          {busy ? 'Adding...' : 'Add a passkey'}
        </button>
      </div>
      <ChangeFailure error={failure} />
    </form>
  );
}
