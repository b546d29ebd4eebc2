import { useState } from 'react';
import type { SessionDetails } from '../../../contract/account-details.ts';
import { say } from '../../languages/say.ts';
import { sayWith } from '../../languages/say-with.ts';
import { endOtherSessions, endSession, listSessions } from '../../lib/accounts.ts';
import { formatTime } from '../../lib/format.ts';
import { messageOf } from '../../lib/request-error.ts';
import { sayDevice } from '../../lib/say-device.ts';
import { needSession } from '../../lib/sign-in-again.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import { Alert } from '../../ui/alert.tsx';
import { AccountSection } from './section.tsx';

interface SessionsSectionProps {
  sessions: SessionDetails[];
  hasPassword: boolean;
  onChanged(sessions: SessionDetails[]): void;
}

/** Where a person is signed in, and how to end it. */
export function SessionsSection({ sessions, hasPassword, onChanged }: SessionsSectionProps) {
  const [outcome, setOutcome] = useState({ status: '', error: '' });
  const [busy, setBusy] = useState(false);
  const disabled = !useHydrated() || busy;

  async function end(work: () => Promise<void>, status: string) {
    setBusy(true);
    setOutcome({ status: '', error: '' });
    try {
      await needSession(work());
      onChanged(await needSession(listSessions()));
      setOutcome({ status, error: '' });
    } catch (error) {
      setOutcome({ status: '', error: messageOf(error) });
    } finally {
      setBusy(false);
    }
  }

  return (
    <AccountSection
      explanation={say(
        hasPassword
          ? 'Sign out any device you do not recognize or no longer use, and change your password.'
          : 'Sign out any device you do not recognize or no longer use.',
      )}
      status={outcome.status}
      title={say('Where you are signed in')}
    >
      <ul className="divide-y divide-line">
        {sessions.map(({ id, device, signedInAt, current }) => (
          <li className="flex flex-wrap items-center justify-between gap-3 py-3" key={id}>
            <div>
              <p className="font-medium">
                {sayDevice(device)}{' '}
                {current && <span className="badge ml-1.5">{say('This device')}</span>}
              </p>
              <p className="text-sm text-muted">
                {sayWith('Signed in {time}', {
                  time: <time dateTime={signedInAt}>{formatTime(signedInAt)}</time>,
                })}
              </p>
            </div>
            {!current && (
              <button
                className="button button-secondary button-small"
                disabled={disabled}
                onClick={() =>
                  end(
                    () => endSession(id),
                    say('{device} was signed out.', { device: sayDevice(device) }),
                  )
                }
                type="button"
              >
                {say('Sign out')}
                <span className="sr-only"> {sayDevice(device)}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <button
          aria-busy={busy}
          className="button button-secondary mt-3"
          disabled={disabled}
          onClick={() => end(endOtherSessions, say('You are signed out everywhere else.'))}
          type="button"
        >
          {say('Sign out everywhere else')}
        </button>
      )}
      {outcome.error && (
        <div className="mt-4">
          <Alert>{outcome.error}</Alert>
        </div>
      )}
    </AccountSection>
  );
}
