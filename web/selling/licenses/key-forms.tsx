import { collectErrors } from '../../../contract/form-errors.ts';
import {
  checkDevices,
  checkLicenseKeys,
  readLicenseKeys,
} from '../../../contract/license-rules.ts';
import { MAX_LICENSE_KEYS_AT_ONCE } from '../../../contract/limits.ts';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { say } from '../../languages/say.ts';
import { sayCount } from '../../lib/format.ts';
import { graphql } from '../../lib/graphql.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { needSession } from '../../lib/sign-in-again.ts';
import { useForm } from '../../lib/use-form.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import { FormError } from '../../ui/alert.tsx';
import { Field, TextArea } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select-field.tsx';

const update = graphql(`
  mutation ChooseLicenses($input: UpdatePaywallLinkInput!) {
    updatePaywallLink(input: $input) { id }
  }
`);

interface KeySettingsProps {
  config: RuntimeConfig;
  link: { id: string; licenses: string | null; devices: number | null };
  onSaved(words: string): Promise<void>;
}

/** Which keys later buyers get, and how many devices one is for. */
export function KeySettings({ config, link, onSaved }: KeySettingsProps) {
  const hydrated = useHydrated();
  const { errors, busy, formProps } = useForm({
    check: ({ devices }) => collectErrors({ devices: checkDevices(Number(devices || 0)) }),
    async send({ licenses = '', devices }) {
      const input = { id: link.id, licenses, devices: Number(devices || 0) };
      await needSession(requestGraphql(config, update, { input }));
      await onSaved(say('The license keys were saved.'));
    },
  });
  const field = { disabled: !hydrated || busy };
  return (
    <form className="card space-y-5 px-6 py-5" {...formProps}>
      <div className="grid gap-5 sm:grid-cols-2">
        <SelectField
          {...field}
          defaultValue={link.licenses ?? ''}
          hint={say('With your own list, the link is sold out until you add keys.')}
          label={say('Keys for new buyers')}
          name="licenses"
          options={{
            '': say('No keys'),
            generated: say('A new key for each purchase'),
            list: say('Keys from my list'),
          }}
        />
        <Field
          {...field}
          defaultValue={link.devices ?? ''}
          error={errors.devices}
          hint={say('Leave blank for unlimited.')}
          inputMode="numeric"
          label={say('Devices per key')}
          name="devices"
        />
      </div>
      {errors[''] && <FormError>{errors['']}</FormError>}
      <button aria-busy={busy} className="button button-primary" {...field} type="submit">
        {say(busy ? 'Saving...' : 'Save')}
      </button>
    </form>
  );
}

const add = graphql(`
  mutation AddKeys($linkId: ID!, $keys: String!) { addLicenseKeys(linkId: $linkId, keys: $keys) }
`);

interface AddKeysProps {
  config: RuntimeConfig;
  linkId: string;
  onAdded(words: string): Promise<void>;
}

/** A form for more keys of the seller's own. */
export function AddKeys({ config, linkId, onAdded }: AddKeysProps) {
  const hydrated = useHydrated();
  const { errors, busy, formProps } = useForm({
    check: ({ keys = '' }) => collectErrors({ keys: checkLicenseKeys(readLicenseKeys(keys)) }),
    async send({ keys = '' }) {
      const { addLicenseKeys } = await needSession(requestGraphql(config, add, { linkId, keys }));
      formProps.ref.current?.reset();
      const added = addLicenseKeys ?? 0;
      const known = readLicenseKeys(keys).length - added;
      const words = sayCount(added, '1 key was added.', '{count} keys were added.');
      await onAdded(
        known === 0
          ? words
          : `${words} ${sayCount(known, '1 was already on the list.', '{count} were already on the list.')}`,
      );
    },
  });
  const field = { disabled: !hydrated || busy };
  return (
    <form className="card space-y-5 px-6 py-5" {...formProps}>
      <TextArea
        {...field}
        autoComplete="off"
        error={errors.keys}
        hint={say('One per line, up to {limit} at a time. Each is sold once.', {
          limit: MAX_LICENSE_KEYS_AT_ONCE,
        })}
        label={say('Your keys')}
        name="keys"
        spellCheck={false}
      />
      {errors[''] && <FormError>{errors['']}</FormError>}
      <button aria-busy={busy} className="button button-secondary" {...field} type="submit">
        {say(busy ? 'Adding...' : 'Add keys')}
      </button>
    </form>
  );
}
