import { useEffect, useRef, useState } from 'react';
import { collectErrors, type FormErrors } from '../../../contract/form-errors.ts';
import { MAX_HOOKS } from '../../../contract/limits.ts';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { say } from '../../languages/say.ts';
import { messageOf } from '../../lib/request-error.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { isSignInStale, needSession } from '../../lib/sign-in-again.ts';
import { useForm } from '../../lib/use-form.ts';
import { definePage, type PageProps } from '../../page.ts';
import { AccountSection, SectionForm } from '../../people/accounts/section.tsx';
import { ChangeFailure } from '../../ui/change-failure.tsx';
import { CheckBox } from '../../ui/check-box.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Field } from '../../ui/field.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import { ListFailed } from '../../ui/list-parts.tsx';
import { EmptyList } from '../../ui/message-page.tsx';
import { EventLog } from './event-log.tsx';
import { HookRow } from './hook-row.tsx';
import { creation, type Hook, type WebhooksData, webhooksQuery } from './webhooks-query.ts';

export const page = definePage({
  query: webhooksQuery,
  variables: ({ query: { webhook, after } }) => ({
    webhook: webhook ?? '',
    after: after ?? null,
    log: webhook !== undefined,
  }),
  fallback: { listWebhooks: null, listWebhookEvents: null },
  status: (_, { failed }) => failed?.listWebhooks ?? failed?.listWebhookEvents ?? 200,
  hydrate: 'now',
  head: () => ({ title: say('Webhooks'), robots: 'noindex' }),
  Component: Webhooks,
});

/** The addresses of a creator's programs that are told what happens, and what each was told. */
function Webhooks({ data, ctx }: PageProps<WebhooksData>) {
  const [hooks, setHooks] = useState(data.listWebhooks?.items ?? []);
  const [fresh, setFresh] = useState<{ id: string; secret: string }>();
  const [said, setSaid] = useState('');
  const shown = hooks.find(({ id }) => id === ctx.query.webhook);
  const change = (hook: Hook, secret?: string) => {
    setHooks((all) => all.map((one) => (one.id === hook.id ? hook : one)));
    if (secret !== undefined) setFresh({ id: hook.id, secret });
  };
  const remove = ({ id, url }: Hook) => {
    setHooks((all) => all.filter((one) => one.id !== id));
    setFresh((one) => (one?.id === id ? undefined : one));
    setSaid(say('The webhook {address} was deleted.', { address: url }));
  };

  return (
    <ListPage
      back={{ href: '/account/programs', words: say('Back to your account') }}
      explanation={say(
        'Addresses of your own programs. Each is notified of your sales, refunds, disputes, links and payouts as they happen.',
      )}
      said={said}
      scriptless={say(
        'Changing webhooks requires JavaScript, which is turned off in this browser.',
      )}
      title={say('Webhooks')}
    >
      {fresh && <NewSecret onDone={() => setFresh(undefined)} secret={fresh.secret} />}
      {!data.listWebhooks && <ListFailed address={ctx.path} what={say('Your webhooks')} />}
      {data.listWebhooks && hooks.length === 0 && <EmptyList text={say('No webhooks yet.')} />}
      {hooks.length > 0 && (
        <ul className="card divide-y divide-line">
          {hooks.map((hook) => (
            <HookRow
              config={ctx.config}
              hook={hook}
              isShown={hook === shown}
              key={hook.id}
              onChanged={change}
              onDeleted={remove}
            />
          ))}
        </ul>
      )}
      {shown && <EventLog ctx={ctx} events={data.listWebhookEvents ?? null} hook={shown} />}
      {hooks.length < MAX_HOOKS && (
        <NewHook
          config={ctx.config}
          mayHearAll={data.listWebhooks?.mayHearAll ?? false}
          onCreated={(hook, secret) => {
            setSaid('');
            setHooks((others) => [hook, ...others]);
            setFresh({ id: hook.id, secret });
          }}
        />
      )}
    </ListPage>
  );
}

interface NewHookProps {
  config: RuntimeConfig;
  mayHearAll: boolean;
  onCreated(hook: Hook, secret: string): void;
}

function NewHook({ config, mayHearAll, onCreated }: NewHookProps) {
  const [stale, setStale] = useState<unknown>();
  const form = useForm({
    check: ({ url = '' }) =>
      collectErrors({ url: url.trim() === '' && say('Enter a web address.') }),
    async send({ url = '', all }) {
      setStale(undefined);
      const input = { url: url.trim(), allSellers: all !== undefined };
      const { createWebhook } = await needSession(requestGraphql(config, creation, input));
      form.formProps.ref.current?.reset();
      onCreated(createWebhook.webhook, createWebhook.secret);
    },
    place(error): FormErrors {
      if (!isSignInStale(error)) return { url: messageOf(error) };
      setStale(error);
      return {};
    },
  });
  return (
    <AccountSection
      explanation={say(
        'Your program gets a signed message for each event, and answers it with a status from 200 to 299.',
      )}
      title={say('New webhook')}
    >
      <SectionForm busyLabel={say('Creating...')} form={form} submitLabel={say('Create webhook')}>
        <Field
          autoComplete="off"
          error={form.errors.url}
          hint={say('Such as https://shop.example.com/padlink')}
          label={say('Web address')}
          name="url"
          type="url"
        />
        {mayHearAll && (
          <CheckBox
            checked={false}
            disabled={form.busy}
            hint={say(
              'It is notified of what happens to all sellers on this site, not only to you.',
            )}
            label={say('All sellers')}
            name="all"
          />
        )}
        <ChangeFailure error={stale} />
      </SectionForm>
    </AccountSection>
  );
}

/** The one moment a secret can be read. */
function NewSecret({ secret, onDone }: { secret: string; onDone(): void }) {
  const panel = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another secret is news as well.
  useEffect(() => panel.current?.focus(), [secret]);
  return (
    <div className="rounded-card bg-well p-5" ref={panel} tabIndex={-1}>
      <p className="font-medium">{say('The secret of your webhook')}</p>
      <p className="mt-1.5 text-sm text-muted">
        {say(
          'Copy it now: it will not be shown again. Your program uses it to verify that a message comes from here.',
        )}
      </p>
      <code className="mt-4 block text-sm break-all select-all">{secret}</code>
      <div className="mt-4 flex flex-wrap gap-3">
        <CopyButton of={say('the secret')} text={secret} />
        <button className="button button-secondary button-small" onClick={onDone} type="button">
          {say('I have saved it')}
        </button>
      </div>
    </div>
  );
}
