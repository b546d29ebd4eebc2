import { useEffect, useRef, useState } from 'react';
import type { PasskeyDetails } from '../../../contract/account-details.ts';
import { collectErrors } from '../../../contract/form-errors.ts';
import { say } from '../../languages/say.ts';
import { sayWith } from '../../languages/say-with.ts';
import { formatDay } from '../../lib/format.ts';
import { addPasskey, removePasskey, renamePasskey, usePasskeys } from '../../lib/passkeys.ts';
import { sayDevice } from '../../lib/say-device.ts';
import { needSession } from '../../lib/sign-in-again.ts';
import { useForm } from '../../lib/use-form.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import { ChangeFailure } from '../../ui/change-failure.tsx';
import { Field } from '../../ui/field.tsx';
import {
  AccountSection,
  CancelButton,
  Confirmation,
  SectionForm,
  useQuestion,
  useSectionForm,
} from './section.tsx';

interface PasskeysProps {
  held: PasskeyDetails[];
  /** What this device may be called. */
  device: string;
  origin: string;
}

/** The devices that sign in without the password. */
export function Passkeys({ held, device, origin }: PasskeysProps) {
  const [passkeys, setPasskeys] = useState(held);
  const [done, setDone] = useState('');
  const offered = usePasskeys(origin);
  if (!offered) return null;

  function add(passkey: PasskeyDetails) {
    setPasskeys((all) => [...all, passkey]);
    setDone(say('Added {name}.', { name: passkey.name }));
  }

  function rename(renamed: PasskeyDetails) {
    setPasskeys((all) => all.map((one) => (one.id === renamed.id ? renamed : one)));
    setDone(say('Renamed to {name}.', { name: renamed.name }));
  }

  function remove({ id, name }: PasskeyDetails) {
    setPasskeys((all) => all.filter((passkey) => passkey.id !== id));
    setDone(say('Removed {name}.', { name }));
  }

  return (
    <AccountSection
      explanation={say(
        'Sign in with your fingerprint, your face or a PIN instead of your password.',
      )}
      onBegun={() => setDone('')}
      status={done}
      title={say('Passkeys')}
    >
      {passkeys.length === 0 ? (
        <p>{say('No passkeys yet.')}</p>
      ) : (
        <ul className="divide-y divide-line">
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              onBegun={() => setDone('')}
              onRemoved={() => remove(passkey)}
              onRenamed={rename}
              origin={origin}
              passkey={passkey}
            />
          ))}
        </ul>
      )}
      <AddPasskey device={device} onAdded={add} />
    </AccountSection>
  );
}

interface AddPasskeyProps {
  /** The name to begin with. */
  device: string;
  onAdded(passkey: PasskeyDetails): void;
}

/** Asks this device, or one at hand, for a passkey. */
function AddPasskey({ device, onAdded }: AddPasskeyProps) {
  const hydrated = useHydrated();
  const [failure, setFailure] = useState<unknown>();
  const { busy, errors, formProps } = useForm({
    check: checkName,
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
          defaultValue={sayDevice(device)}
          error={errors.name}
          label={say('Name of the new passkey')}
          name="name"
          required
        />
        <button
          aria-busy={busy}
          className="button button-secondary sm:mt-[1.875rem]"
          disabled={!hydrated || busy}
          type="submit"
        >
          {say(busy ? 'Adding...' : 'Add a passkey')}
        </button>
      </div>
      <ChangeFailure error={failure} />
    </form>
  );
}

const checkName = ({ name }: Record<string, string>) =>
  collectErrors({ name: !name?.trim() && say('Give the passkey a name.') });

interface PasskeyRowProps {
  passkey: PasskeyDetails;
  origin: string;
  onBegun(): void;
  onRenamed(passkey: PasskeyDetails): void;
  onRemoved(): void;
}

function PasskeyRow({ passkey, origin, onBegun, onRenamed, onRemoved }: PasskeyRowProps) {
  const { id, name, createdAt, domain } = passkey;
  const renaming = useQuestion();
  const removal = useQuestion();
  const [failure, setFailure] = useState<unknown>();

  function begin(question: Question) {
    onBegun();
    setFailure(undefined);
    question.ask();
  }

  async function remove() {
    try {
      await needSession(removePasskey(id));
      onRemoved();
    } catch (error) {
      setFailure(error);
      removal.close();
    }
  }

  return (
    <li className="space-y-3 py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0">
          <span className="block font-medium break-words">
            <bdi>{name}</bdi>
          </span>
          <span className="text-sm text-muted">
            {say('Added on {day}', { day: formatDay(createdAt) })}
          </span>
          {domain !== null && domain !== new URL(origin).hostname && (
            <span className="block text-sm break-words">
              {say('Created for {domain}. It does not work here.', { domain })}
            </span>
          )}
        </p>
        {!renaming.isAsking && !removal.isAsking && (
          <span className="flex flex-wrap gap-2">
            <RowButton label={say('Rename')} name={name} of={renaming} onPressed={begin} />
            <RowButton label={say('Remove')} name={name} of={removal} onPressed={begin} />
          </span>
        )}
      </div>
      {renaming.isAsking && (
        <RenamePasskey
          onLeft={renaming.close}
          onRenamed={(renamed) => {
            renaming.close();
            onRenamed(renamed);
          }}
          passkey={passkey}
        />
      )}
      {removal.isAsking && (
        <Confirmation
          busyLabel={say('Removing...')}
          label={say('Remove passkey')}
          onConfirmed={remove}
          onKept={removal.close}
        >
          {sayWith('Remove {name}? You will no longer be able to sign in with it.', {
            name: <strong className="break-words">{name}</strong>,
          })}
        </Confirmation>
      )}
      <ChangeFailure error={failure} />
    </li>
  );
}

type Question = ReturnType<typeof useQuestion>;

interface RowButtonProps {
  label: string;
  /** Of the passkey. */
  name: string;
  of: Question;
  onPressed(question: Question): void;
}

/** Opens a question in place of the buttons of a row. */
function RowButton({ label, name, of, onPressed }: RowButtonProps) {
  const hydrated = useHydrated();
  return (
    <button
      className="button button-secondary button-small"
      disabled={!hydrated}
      onClick={() => onPressed(of)}
      ref={of.button}
      type="button"
    >
      {label}
      <span className="sr-only"> {name}</span>
    </button>
  );
}

interface RenamePasskeyProps {
  passkey: PasskeyDetails;
  onRenamed(passkey: PasskeyDetails): void;
  onLeft(): void;
}

function RenamePasskey({ passkey, onRenamed, onLeft }: RenamePasskeyProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  const form = useSectionForm({
    check: checkName,
    send: async ({ name = '' }) => onRenamed(await renamePasskey(passkey.id, name)),
  });
  return (
    <div>
      <SectionForm busyLabel={say('Saving...')} form={form} submitLabel={say('Save name')}>
        <Field
          autoComplete="off"
          defaultValue={passkey.name}
          error={form.errors.name}
          label={say('New name of the passkey')}
          name="name"
          ref={field}
          required
        />
      </SectionForm>
      <CancelButton onPressed={onLeft} />
    </div>
  );
}
