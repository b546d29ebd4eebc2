import { useState } from 'react';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { type Sentence, say, tell } from '../../languages/say.ts';
import { sayWith } from '../../languages/say-with.ts';
import { formatTime } from '../../lib/format.ts';
import { messageOf } from '../../lib/request-error.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { needSession } from '../../lib/sign-in-again.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import type { PageContext } from '../../page.ts';
import { Alert } from '../../ui/alert.tsx';
import { ListFailed, OtherPages } from '../../ui/list-parts.tsx';
import { EmptyList } from '../../ui/message-page.tsx';
import { type Hook, type HookEvent, resending, type WebhooksData } from './webhooks-query.ts';

interface EventLogProps {
  ctx: PageContext;
  hook: Hook;
  /** Null where they could not be loaded. */
  events: WebhooksData['listWebhookEvents'] | null;
}

/** What a webhook was told in the last 30 days, and what it answered. */
export function EventLog({ ctx, hook, events }: EventLogProps) {
  const address = `${ctx.path}?${new URLSearchParams({ webhook: hook.id })}`;
  const { items = [], nextToken = null } = events ?? {};
  return (
    <section aria-labelledby="log" className="space-y-4">
      <div>
        <h2 className="text-2xl" id="log">
          {say('What was sent')}
        </h2>
        <p className="mt-1.5 text-muted wrap-anywhere">
          {say('To {address}, in the last 30 days, newest first.', { address: hook.url })}
        </p>
      </div>
      {!events && <ListFailed address={address} what={say('What was sent')} />}
      {events && items.length === 0 && <EmptyList text={say('Nothing has been sent yet.')} />}
      {items.length > 0 && (
        <ul className="card divide-y divide-line">
          {items.map((event) => (
            <EventRow config={ctx.config} event={event} hook={hook} key={event.id} />
          ))}
        </ul>
      )}
      <OtherPages
        address={address}
        after={ctx.query.after}
        first={say('Show the newest')}
        next={say('Show older events')}
        nextToken={nextToken}
      />
    </section>
  );
}

const STATES: Record<string, Sentence | undefined> = {
  waiting: 'Waiting',
  given_up: 'Not delivered',
};

interface EventRowProps {
  config: RuntimeConfig;
  event: HookEvent;
  hook: Hook;
}

function EventRow({ config, event, hook }: EventRowProps) {
  const { id, type, body, createdAt, attempts } = event;
  const [state, setState] = useState(event.state);
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState('');
  const hydrated = useHydrated();
  const badge = STATES[state];

  async function resend() {
    setSending(true);
    setFailure('');
    try {
      await needSession(requestGraphql(config, resending, { webhook: hook.id, id }));
      setState('waiting');
    } catch (error) {
      setFailure(messageOf(error));
    }
    setSending(false);
  }

  return (
    <li className="space-y-3 p-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div role="status">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
            {type}
            {badge && <span className="badge">{say(badge)}</span>}
          </p>
          <p className="text-sm text-muted">
            <time dateTime={createdAt}>{formatTime(createdAt)}</time>
          </p>
        </div>
        {hook.state === 'on' && (
          <button
            className="button button-secondary button-small"
            disabled={!hydrated || isSending}
            onClick={resend}
            type="button"
          >
            {say(isSending ? 'Sending...' : 'Send again')}
            <span className="sr-only">
              {' '}
              {say('{type} of {time}', { type, time: formatTime(createdAt) })}
            </span>
          </button>
        )}
      </div>
      <details>
        <summary className="disclosure">{say('Message and answers')}</summary>
        <code className="mt-2 block rounded-control bg-well p-5 text-sm break-all whitespace-pre-wrap">
          {body}
        </code>
        <ul className="mt-3 space-y-2 text-sm">
          {attempts.map(({ at, ms, status, answer, answerFact }) => (
            <li key={at}>
              <span className="font-medium">{status ?? say('No answer')}</span>{' '}
              <span className="text-muted">
                {sayWith('{time}, after {ms} ms', {
                  time: <time dateTime={at}>{formatTime(at)}</time>,
                  ms,
                })}
              </span>
              {answer && (
                <code className="block break-all whitespace-pre-wrap">
                  {answerFact ? tell(answerFact) : answer}
                </code>
              )}
            </li>
          ))}
        </ul>
      </details>
      {failure && <Alert>{failure}</Alert>}
    </li>
  );
}
