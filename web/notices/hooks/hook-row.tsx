import { useState } from 'react';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { type Sentence, say } from '../../languages/say.ts';
import { sayWith } from '../../languages/say-with.ts';
import { formatTime } from '../../lib/format.ts';
import { messageOf } from '../../lib/request-error.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { isSignInStale, needSession } from '../../lib/sign-in-again.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import { Confirmation, useQuestion } from '../../people/accounts/section.tsx';
import { Alert } from '../../ui/alert.tsx';
import { ChangeFailure } from '../../ui/change-failure.tsx';
import { deletion, type Hook, pausing, rotation } from './webhooks-query.ts';

interface HookRowProps {
  hook: Hook;
  config: RuntimeConfig;
  /** What it was told is on the page. */
  isShown: boolean;
  onChanged(hook: Hook, secret?: string): void;
  onDeleted(hook: Hook): void;
}

const BADGES: Record<string, Sentence | undefined> = { paused: 'Paused', ended: 'Turned off' };

export function HookRow({ hook, config, isShown, onChanged, onDeleted }: HookRowProps) {
  const { id, url, allSellers, state } = hook;
  const [busy, setBusy] = useState(false);
  const disabled = !useHydrated() || busy;
  const [failure, setFailure] = useState<unknown>();
  const { isAsking, button, ask, close } = useQuestion();
  const badge = BADGES[state];
  const isOn = state === 'on';

  async function act(work: () => Promise<void>) {
    setBusy(true);
    setFailure(undefined);
    try {
      await needSession(work());
    } catch (error) {
      setFailure(error);
      close();
    }
    setBusy(false);
  }
  const togglePause = () =>
    act(async () => {
      await requestGraphql(config, pausing, { id, paused: isOn });
      onChanged({ ...hook, state: isOn ? 'paused' : 'on', failingSince: null });
    });
  const rotate = () =>
    act(async () => {
      const { rotateWebhookSecret } = await requestGraphql(config, rotation, { id });
      onChanged(rotateWebhookSecret.webhook, rotateWebhookSecret.secret);
    });
  const remove = () =>
    act(async () => {
      await requestGraphql(config, deletion, { id });
      onDeleted(hook);
    });
  const small = { className: 'button button-secondary button-small', type: 'button' } as const;

  return (
    <li className="space-y-4 p-5">
      <div>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium wrap-anywhere">
          <bdi>{url}</bdi>
          {badge && <span className="badge">{say(badge)}</span>}
          {allSellers && <span className="badge">{say('All sellers')}</span>}
        </p>
        <HookNews hook={hook} />
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <a
          aria-current={isShown ? 'page' : undefined}
          aria-label={say('What was sent to {address}', { address: url })}
          className="text-link inline-flex min-h-11 items-center"
          href={`/account/webhooks?${new URLSearchParams({ webhook: id })}`}
        >
          {say('What was sent')}
        </a>
        {!isAsking && (
          <>
            <button {...small} disabled={disabled} onClick={togglePause}>
              {say(isOn ? 'Pause' : 'Turn on')}
              <span className="sr-only"> {url}</span>
            </button>
            <button
              {...small}
              aria-label={say('New secret for {address}', { address: url })}
              disabled={disabled}
              onClick={rotate}
            >
              {say('New secret')}
            </button>
            <button {...small} disabled={disabled} onClick={ask} ref={button}>
              {say('Delete')}
              <span className="sr-only"> {url}</span>
            </button>
          </>
        )}
      </div>
      {isAsking && (
        <Confirmation
          busyLabel={say('Deleting...')}
          label={say('Delete webhook')}
          onConfirmed={remove}
          onKept={close}
        >
          {sayWith(
            'Delete {address}? Nothing more is sent to it, and the record of what was sent is deleted too.',
            { address: <strong className="wrap-anywhere">{url}</strong> },
          )}
        </Confirmation>
      )}
      {isSignInStale(failure) ? (
        <ChangeFailure error={failure} />
      ) : (
        failure !== undefined && <Alert>{messageOf(failure)}</Alert>
      )}
    </li>
  );
}

/** What its owner has to know of it now. */
function HookNews({ hook: { state, failingSince, earlierSecretUntil } }: { hook: Hook }) {
  return (
    <>
      {state === 'ended' && (
        <p className="mt-1 text-sm">
          {say('It accepted nothing for three days, so nothing more is sent to it.')}
        </p>
      )}
      {state === 'paused' && (
        <p className="mt-1 text-sm text-muted">
          {say('It is not notified of what happens while it is paused.')}
        </p>
      )}
      {state === 'on' && failingSince && (
        <p className="mt-1 text-sm">
          {sayWith(
            'It has accepted nothing since {time}. Each event is sent again for up to three days, unless more than 10,000 newer ones wait.',
            { time: <time dateTime={failingSince}>{formatTime(failingSince)}</time> },
          )}
        </p>
      )}
      {earlierSecretUntil && (
        <p className="mt-1 text-sm text-muted">
          {sayWith('The previous secret is valid until {time}.', {
            time: <time dateTime={earlierSecretUntil}>{formatTime(earlierSecretUntil)}</time>,
          })}
        </p>
      )}
    </>
  );
}
