import { useEffect, useRef, useState } from 'react';
import type { SecretKeyDetails } from '../../../contract/account-details.ts';
import { collectErrors, type FormErrors } from '../../../contract/form-errors.ts';
import { MAX_KEY_NAME_LENGTH } from '../../../contract/limits.ts';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { SCOPE_MEANS, SCOPES, type Scope } from '../../../contract/secret-key-scopes.ts';
import { type Sentence, say } from '../../languages/say.ts';
import { sayWith } from '../../languages/say-with.ts';
import { formatDay } from '../../lib/format.ts';
import { graphql } from '../../lib/graphql.ts';
import { messageOf } from '../../lib/request-error.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { isSignInStale, needSession } from '../../lib/sign-in-again.ts';
import { useForm } from '../../lib/use-form.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import { Alert } from '../../ui/alert.tsx';
import { ChangeFailure } from '../../ui/change-failure.tsx';
import { CheckBox } from '../../ui/check-box.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Field } from '../../ui/field.tsx';
import { AccountSection, Confirmation, SectionForm, useQuestion } from './section.tsx';

interface SecretKeysProps {
  config: RuntimeConfig;
  /** Newest first. */
  held: SecretKeyDetails[];
}

/** The keys of a creator's own programs: created, named, shown once, revoked. */
export function SecretKeys({ config, held }: SecretKeysProps) {
  const [keys, setKeys] = useState(held);
  const [done, setDone] = useState('');
  const [fresh, setFresh] = useState<Omit<NewSecretProps, 'onDone'> & { id: string }>();

  async function create(name: string, scopes: Scope[]) {
    const { secret, ...key } = await createSecretKey(config, name, scopes);
    setKeys((others) => [{ ...key, scopes, lastUsedAt: null }, ...others]);
    setFresh({ ...key, scopes, secret });
  }

  async function revoke({ id, name }: SecretKeyDetails) {
    await revokeSecretKey(config, id);
    setKeys((others) => others.filter((key) => key.id !== id));
    setDone(say('{name} was revoked.', { name }));
    setFresh((shown) => (shown?.id === id ? undefined : shown));
  }

  return (
    <AccountSection
      explanation={say(
        'For your own programs. You choose what each key can do; none can manage your account or pay out your money.',
      )}
      onBegun={() => setDone('')}
      status={done}
      title={say('Secret keys')}
    >
      <div className="space-y-6">
        {fresh && <NewSecret {...fresh} onDone={() => setFresh(undefined)} />}
        {keys.length === 0 ? (
          <p className="text-muted">{say('No secret keys yet.')}</p>
        ) : (
          <ul className="divide-y divide-line border-y border-line">
            {keys.map((key) => (
              <SecretKeyRow
                key={key.id}
                onBegun={() => setDone('')}
                onRevoke={() => revoke(key)}
                secretKey={key}
              />
            ))}
          </ul>
        )}
        <NewKeyForm onCreate={create} />
      </div>
    </AccountSection>
  );
}

/** The first letter of a sentence, and its end. */
const asSentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

const SCOPE_NAMES: Record<Scope, Sentence> = { read: 'Read', sell: 'Sell', refund: 'Refund' };

const chosenOf = (values: Record<string, string>) =>
  SCOPES.filter((scope) => values[scope] !== undefined);

interface NewKeyFormProps {
  onCreate(name: string, scopes: Scope[]): Promise<void>;
}

/** Asks for the name that will tell a key from the others, and for what it may do. */
function NewKeyForm({ onCreate }: NewKeyFormProps) {
  const [stale, setStale] = useState<unknown>();
  const form = useForm({
    check: ({ name = '', ...values }) =>
      collectErrors({
        name: name.trim() === '' && say('Give the key a name.'),
        '': chosenOf(values).length === 0 && say('Choose what programs may do with the key.'),
      }),
    async send({ name = '', ...values }) {
      setStale(undefined);
      await needSession(onCreate(name, chosenOf(values)));
      form.formProps.ref.current?.reset();
    },
    place(error): FormErrors {
      if (!isSignInStale(error)) return { name: messageOf(error) };
      setStale(error);
      return {};
    },
  });
  return (
    <SectionForm busyLabel={say('Creating...')} form={form} submitLabel={say('Create key')}>
      <Field
        autoComplete="off"
        error={form.errors.name}
        hint={say('What will use it, such as “Shop importer”. At most {count} characters.', {
          count: MAX_KEY_NAME_LENGTH,
        })}
        label={say('Name of a new key')}
        name="name"
        type="text"
      />
      <fieldset>
        <legend className="font-medium">{say('What programs may do with it')}</legend>
        {SCOPES.map((scope) => (
          <CheckBox
            checked={scope === 'sell'}
            disabled={form.busy}
            hint={asSentence(say(SCOPE_MEANS[scope]))}
            key={scope}
            label={say(SCOPE_NAMES[scope])}
            name={scope}
          />
        ))}
      </fieldset>
      <ChangeFailure error={stale} />
    </SectionForm>
  );
}

interface NewSecretProps {
  name: string;
  secret: string;
  scopes: Scope[];
  onDone(): void;
}

/** The one moment a key can be read. */
function NewSecret({ name, secret, scopes, onDone }: NewSecretProps) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.focus(), []);

  return (
    <div className="rounded-card bg-well p-5" ref={panel} tabIndex={-1}>
      <p className="font-medium break-words">{say('Your new key “{name}”', { name })}</p>
      <p className="mt-1.5 text-sm text-muted">
        {say('Copy it now: it will not be shown again. Anyone who has it can {what}.', {
          what: scopes.map((scope) => say(SCOPE_MEANS[scope])).join('; '),
        })}
      </p>
      <code className="mt-4 block text-sm break-all select-all">{secret}</code>
      <div className="mt-4 flex flex-wrap gap-3">
        <CopyButton of={say('the key {name}', { name })} text={secret} />
        <button className="button button-secondary button-small" onClick={onDone} type="button">
          {say('I have saved it')}
        </button>
      </div>
    </div>
  );
}

interface SecretKeyRowProps {
  secretKey: SecretKeyDetails;
  onBegun(): void;
  onRevoke(): Promise<void>;
}

function SecretKeyRow({ secretKey, onBegun, onRevoke }: SecretKeyRowProps) {
  const { name, hint, scopes, createdAt, lastUsedAt } = secretKey;
  const { isAsking, button, ask, close } = useQuestion();
  const [error, setError] = useState('');
  const hydrated = useHydrated();

  function begin() {
    onBegun();
    setError('');
    ask();
  }

  async function revoke() {
    try {
      await needSession(onRevoke());
    } catch (cause) {
      setError(messageOf(cause));
      close();
    }
  }

  return (
    <li className="space-y-4 py-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="min-w-0">
          <p className="font-medium break-words">
            <bdi>{name}</bdi>
          </p>
          <p className="mt-0.5 text-sm text-muted">
            <code>…{hint}</code> · {scopes.map((scope) => say(SCOPE_NAMES[scope])).join(', ')} ·{' '}
            {sayWith('Created {time}', { time: <Day time={createdAt} /> })} ·{' '}
            {lastUsedAt
              ? sayWith('Last used {time}', { time: <Day time={lastUsedAt} /> })
              : say('Never used')}
          </p>
        </div>
        {!isAsking && (
          <button
            className="button button-secondary button-small"
            disabled={!hydrated}
            onClick={begin}
            ref={button}
            type="button"
          >
            {say('Revoke')}
            <span className="sr-only"> {name}</span>
          </button>
        )}
      </div>
      {isAsking && (
        <Confirmation
          busyLabel={say('Revoking...')}
          label={say('Revoke key')}
          onConfirmed={revoke}
          onKept={close}
        >
          {sayWith(
            'Revoke {name}? Programs that use it will stop working at once. This cannot be undone.',
            { name: <strong className="break-words">{name}</strong> },
          )}
        </Confirmation>
      )}
      {error && <Alert>{error}</Alert>}
    </li>
  );
}

function Day({ time }: { time: string }) {
  return <time dateTime={time}>{formatDay(time)}</time>;
}

const creation = graphql(`
  mutation CreateSecretKey($name: String!, $scopes: [String!]!) {
    createSecretKey(name: $name, scopes: $scopes) { id name hint createdAt secret }
  }
`);

const revocation = graphql(`
  mutation RevokeSecretKey($id: ID!) {
    revokeSecretKey(id: $id)
  }
`);

/** Creates a key. The response contains the secret, which is shown only this once. */
async function createSecretKey(config: RuntimeConfig, name: string, scopes: Scope[]) {
  const { createSecretKey: key } = await requestGraphql(config, creation, { name, scopes });
  return key;
}

async function revokeSecretKey(config: RuntimeConfig, id: string): Promise<void> {
  await requestGraphql(config, revocation, { id });
}
