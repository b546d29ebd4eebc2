import type { ReactNode } from 'react';
import { say } from '../../languages/say.ts';
import { CheckIcon } from '../../ui/icons.tsx';
import { InviteForm } from './invitations.tsx';
import { type Acting, Section } from './operator-frame.tsx';

/** What a new site lacks, until it lacks nothing. */
export function FirstSteps({ isBegun, ...acting }: Acting & { isBegun: boolean }) {
  const { mailbox, payments, payouts } = acting.config;
  const isReady = payments !== 'sandbox' && !mailbox;
  if (isBegun && isReady) return <SetupLink words={say('Check this installation')} />;
  return (
    <Section id="first-steps" title={say('First steps')}>
      <ol className="card divide-y divide-line">
        {payouts.kind === 'solo' ? (
          <Step isDone={isBegun} title={say('Create your first link')}>
            <a className="button button-primary" href="/upload">
              {say('Upload a File')}
            </a>
          </Step>
        ) : (
          <Step isDone={isBegun} title={say('Invite your first seller')}>
            <InviteForm {...acting} />
          </Step>
        )}
        <Step isDone={isReady} title={say('Set up this site')}>
          <p className="text-muted">
            {say('One page checks payments, emails and backups, and says what is missing.')}
          </p>
          <SetupLink words={say('See all that this site needs')} />
        </Step>
      </ol>
    </Section>
  );
}

const SetupLink = ({ words }: { words: string }) => (
  <a className="text-link inline-flex min-h-11 items-center" href="/operator/setup">
    {words}
  </a>
);

interface StepProps {
  isDone: boolean;
  title: string;
  /** The way there. */
  children: ReactNode;
}

function Step({ isDone, title, children }: StepProps) {
  return (
    <li className="px-6 py-5">
      <h3 className={`flex items-center gap-2 text-lg ${isDone ? 'text-muted' : ''}`}>
        {isDone && <CheckIcon className="size-5 shrink-0" />}
        {title}
        {isDone && <span className="badge">{say('Done')}</span>}
      </h3>
      {!isDone && <div className="mt-2">{children}</div>}
    </li>
  );
}
