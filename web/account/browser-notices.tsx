import { useEffect, useState } from 'react';
import type { NotifiedBrowserDetails } from '../../contract/notifications.ts';
import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import {
  type NoticeState,
  readNoticeState,
  renewNotices,
  turnNoticesOff,
  turnNoticesOn,
} from '../lib/browser-notices.ts';
import { formatDay } from '../lib/format.ts';
import { graphql } from '../lib/graphql.ts';
import { messageOf, RequestError } from '../lib/request-error.ts';
import { requestGraphql } from '../lib/request-graphql.ts';
import { needSession } from '../lib/sign-in-again.ts';
import { Alert } from '../ui/alert.tsx';

interface BrowserNoticesProps {
  config: RuntimeConfig;
  viewerId: string;
  pushKey: string;
  browsers: NotifiedBrowserDetails[];
  onDone(status: string): void;
}

const WORDS: Record<NoticeState, string> = {
  unsupported: 'This browser cannot show notifications.',
  'not-installed':
    'An iPhone or iPad shows notifications only for apps. Add this site to the Home Screen (Share, then Add to Home Screen), open it from there, and turn them on here.',
  blocked:
    'This browser blocks notifications from this site. Allow them in its settings for this site (beside the address), then load this page again.',
  off: 'Shows each sale on this device, also while no page of ours is open, until you sign out here.',
  on: 'This browser shows each sale, until you sign out here.',
};

const NO_ANSWER =
  'This browser was not allowed to show notifications. Press the button again, and allow them.';
const NO_SERVICE =
  'This browser could not reach its push service. Look whether its settings turn that off, and try again.';

/** Whether this browser shows each sale, and which other ones do. */
export function BrowserNotices(props: BrowserNoticesProps) {
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
      onDone(await work());
    } catch (fault) {
      console.warn(fault);
      setError(fault instanceof RequestError ? messageOf(fault) : NO_SERVICE);
    } finally {
      setBusy(false);
    }
  }

  const turnOn = () =>
    attempt(async () => {
      const next = await needSession(turnNoticesOn({ config, viewerId, pushKey }));
      setState(next);
      if (next === 'off') setError(NO_ANSWER);
      return next === 'on' ? 'This browser shows each sale from now on.' : '';
    });

  const turnOff = () =>
    attempt(async () => {
      await needSession(turnNoticesOff(config));
      setState('off');
      return 'This browser shows no more sales.';
    });

  const end = ({ id, device }: NotifiedBrowserDetails) =>
    attempt(async () => {
      await needSession(requestGraphql(config, STOP, { id }));
      setOthers(others.filter((other) => other.id !== id));
      return `${device} shows no more sales.`;
    });

  return (
    <div className="mt-8">
      <h3 className="font-medium">In this browser</h3>
      <p className="mt-1 text-sm text-muted">{WORDS[state ?? 'off']}</p>
      {(state === undefined || state === 'off' || state === 'on') && (
        <button
          aria-busy={busy}
          className="button button-secondary mt-3"
          disabled={busy || state === undefined}
          onClick={state === 'on' ? turnOff : turnOn}
          type="button"
        >
          {state === 'on' ? 'Stop notifying me here' : 'Notify me in this browser'}
        </button>
      )}
      {error && (
        <div className="mt-4">
          <Alert>{error}</Alert>
        </div>
      )}
      {others.length > 0 && (
        <>
          <h3 className="mt-6 font-medium">Other browsers that show your sales</h3>
          <ul className="divide-y divide-line">
            {others.map((browser) => (
              <li
                className="flex flex-wrap items-center justify-between gap-3 py-3"
                key={browser.id}
              >
                <div>
                  <p>{browser.device}</p>
                  <p className="text-sm text-muted">
                    Since <time dateTime={browser.since}>{formatDay(browser.since)}</time>
                  </p>
                </div>
                <button
                  className="button button-secondary button-small"
                  disabled={busy || state === undefined}
                  onClick={() => end(browser)}
                  type="button"
                >
                  Stop<span className="sr-only"> notifying {browser.device}</span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

const STOP = graphql(`
  mutation StopNotifyingBrowser($id: ID) {
    stopNotifyingBrowser(id: $id)
  }
`);
