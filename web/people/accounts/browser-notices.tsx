import { useEffect, useState } from 'react';
import type { NotifiedBrowserDetails } from '../../../contract/notifications.ts';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { type Sentence, say } from '../../languages/say.ts';
import { sayWith } from '../../languages/say-with.ts';
import {
  type NoticeState,
  readNoticeState,
  renewNotices,
  turnNoticesOff,
  turnNoticesOn,
} from '../../lib/browser-notices.ts';
import { formatDay } from '../../lib/format.ts';
import { graphql } from '../../lib/graphql.ts';
import { messageOf, RequestError } from '../../lib/request-error.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { sayDevice } from '../../lib/say-device.ts';
import { needSession } from '../../lib/sign-in-again.ts';
import { Alert } from '../../ui/alert.tsx';

interface BrowserNoticesProps {
  config: RuntimeConfig;
  viewerId: string;
  pushKey: string;
  browsers: NotifiedBrowserDetails[];
  onDone(status: string): void;
}

const WORDS: Record<NoticeState, Sentence> = {
  unsupported: 'This browser cannot show notifications.',
  'not-installed':
    'An iPhone or iPad shows notifications only for apps. Add this site to the Home Screen (Share, then Add to Home Screen), open it from there, and turn them on here.',
  blocked:
    'This browser blocks notifications from this site. Allow them in its settings for this site (beside the address), then reload this page.',
  off: 'Shows each sale on this device, even when this site is closed, until you sign out here.',
  on: 'This browser shows each sale, until you sign out here.',
};

const NO_ANSWER: Sentence =
  'This browser was not allowed to show notifications. Press the button again, and allow them.';
const NO_SERVICE: Sentence =
  'This browser could not reach its push service. Check whether its settings turn that off, and try again.';

/** Whether this browser shows each sale, and which other ones do. */
export function BrowserNotices(props: BrowserNoticesProps) {
  const { state, others, busy, error, turnOn, turnOff, end } = useBrowserNotices(props);
  const disabled = busy || state === undefined;
  return (
    <div className="mt-8">
      <h3 className="font-medium">{say('In this browser')}</h3>
      <p className="mt-1 text-sm text-muted">{say(WORDS[state ?? 'off'])}</p>
      {(state === undefined || state === 'off' || state === 'on') && (
        <button
          aria-busy={busy}
          className="button button-secondary mt-3"
          disabled={disabled}
          onClick={state === 'on' ? turnOff : turnOn}
          type="button"
        >
          {say(state === 'on' ? 'Stop notifying me here' : 'Notify me in this browser')}
        </button>
      )}
      {error && (
        <div className="mt-4">
          <Alert>{error}</Alert>
        </div>
      )}
      {others.length > 0 && (
        <>
          <h3 className="mt-6 font-medium">{say('Other browsers that show your sales')}</h3>
          <ul className="divide-y divide-line">
            {others.map((browser) => (
              <li
                className="flex flex-wrap items-center justify-between gap-3 py-3"
                key={browser.id}
              >
                <div>
                  <p>{sayDevice(browser.device)}</p>
                  <p className="text-sm text-muted">
                    {sayWith('Since {time}', {
                      time: <time dateTime={browser.since}>{formatDay(browser.since)}</time>,
                    })}
                  </p>
                </div>
                <button
                  aria-label={say('Stop notifying {device}', { device: sayDevice(browser.device) })}
                  disabled={disabled}
                  onClick={() => end(browser)}
                  className="button button-secondary button-small"
                  type="button"
                >
                  {say('Stop')}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function useBrowserNotices(props: BrowserNoticesProps) {
  const { config, viewerId, pushKey, browsers, onDone } = props;
  const [state, setState] = useState<NoticeState>();
  const [others, setOthers] = useState(browsers.filter(({ current }) => !current));
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);
  const isKnown = browsers.some(({ current }) => current);

  // What was said already is only compared once, when the page has loaded.
  useEffect(() => {
    readNoticeState(viewerId)
      .then(async (found) => {
        // After a new sign-in, the server does not know that it is the same browser.
        if (found === 'on' && !isKnown) await renewNotices(config, viewerId);
        setState(found);
      })
      .catch((fault: unknown) => {
        console.warn(fault);
        setState('off');
      });
  }, [config, viewerId, isKnown]);

  async function attempt(work: () => Promise<string>) {
    setBusy(true);
    setError('');
    onDone('');
    try {
      onDone(await needSession(work()));
    } catch (fault) {
      console.warn(fault);
      setError(fault instanceof RequestError ? messageOf(fault) : say(NO_SERVICE));
    } finally {
      setBusy(false);
    }
  }

  return {
    state,
    others,
    busy,
    error,
    turnOn: () =>
      attempt(async () => {
        const next = await turnNoticesOn({ config, viewerId, pushKey });
        setState(next);
        if (next === 'off') setError(say(NO_ANSWER));
        return next === 'on' ? say('This browser shows each sale from now on.') : '';
      }),
    turnOff: () =>
      attempt(async () => {
        await turnNoticesOff(config);
        setState('off');
        return say('This browser no longer shows your sales.');
      }),
    end: ({ id, device }: NotifiedBrowserDetails) =>
      attempt(async () => {
        await requestGraphql(config, STOP, { id });
        setOthers(others.filter((other) => other.id !== id));
        return say('{device} no longer shows your sales.', { device: sayDevice(device) });
      }),
  };
}

const STOP = graphql(`
  mutation StopNotifyingBrowser($id: ID) {
    stopNotifyingBrowser(id: $id)
  }
`);
