import type { AccessStep } from '../../../contract/page-context.ts';
import { type Sentence, say } from '../../languages/say.ts';
import { sayWith } from '../../languages/say-with.ts';
import { definePage, type PageContext, type PageProps } from '../../page.ts';
import { Alert } from '../../ui/alert.tsx';
import { CodeField } from '../../ui/code-field.tsx';
import { MessagePage, SupportLine } from '../../ui/message-page.tsx';
import { GiveBack } from './give-back.tsx';
import { GivenGift } from './given-gift.tsx';

export const page = definePage({
  hydrate: 'never',
  head: ({ step }: AccessStep) => ({ title: say(TITLES[step]), robots: 'noindex' }),
  Component: Access,
});

const TITLES: Record<AccessStep['step'], Sentence> = {
  open: 'Your purchase',
  'open-gift': 'A gift for you',
  gift: 'Your gift',
  return: 'Bought twice',
  'open-all': 'Your purchases',
  'first-operator': 'The first operator',
  code: 'One more browser',
  updates: 'New versions',
  'no-updates': 'New versions',
  'stop-sales': 'Emails about sales',
  'stop-weeks': 'Weekly summaries',
};

const STEPS = {
  open: {
    words: 'This personal link unlocks your purchase on this device. Please keep it to yourself.',
    button: 'Open your purchase',
  },
  'open-gift': {
    words: 'This personal link unlocks your gift on this device. Please keep it to yourself.',
    button: 'Open your gift',
  },
  'open-all': {
    words:
      'On this device, this link unlocks everything that was paid for with your email address. Please keep it to yourself.',
    button: 'Open your purchases',
  },
  'first-operator': {
    words:
      'Nobody runs this site yet. Continue, then sign in or create your account: it becomes the operator’s account, which sees all sales, pays sellers and decides what is sold.',
    button: 'Continue as operator',
  },
  updates: {
    words: 'You do not get an email when there is a new version of what you bought.',
    button: 'Email me about new versions',
  },
  'no-updates': {
    words:
      'You get an email when there is a new version of what you bought. The seller does not see your address.',
    button: 'Stop these emails',
  },
  'stop-sales': {
    words: 'You get emails about your sales.',
    done: 'You no longer get emails about your sales.',
    button: 'Stop these emails',
  },
  'stop-weeks': {
    words: 'We send you a weekly summary on Mondays.',
    done: 'You no longer get weekly summaries.',
    button: 'Stop these emails',
  },
} as const;

/** A link that was mailed or printed. Opening it takes a press: mail scanners follow links too. */
function Access({ ctx, data }: PageProps<AccessStep>) {
  if (data.step === 'gift') return <GivenGift ctx={ctx} gift={data} />;
  if (data.step === 'return') return <GiveBack bought={data} ctx={ctx} />;
  if (data.step === 'code') return <CodeStep ctx={ctx} email={data.email} />;
  if (isStopped(data)) return <Stopped data={data} />;
  const { words, button } = STEPS[data.step];
  return (
    <MessagePage figure="lock-open" title={say(TITLES[data.step])}>
      <p role={'isChanged' in data ? 'status' : undefined}>{say(words)}</p>
      <form action={actionOf(data.step, ctx)} className="text-base text-ink" method="post">
        <button className="button button-primary" type="submit">
          {say(button)}
        </button>
      </form>
    </MessagePage>
  );
}

function actionOf(step: AccessStep['step'], { path, query }: PageContext): string {
  if (step === 'updates') return `${path}?wanted=yes`;
  return step === 'first-operator' ? `${path}?${new URLSearchParams(query)}` : path;
}

type Stopping = Extract<AccessStep, { step: `stop-${string}` }>;

const isStopped = (data: AccessStep): data is Stopping & { isChanged: true } =>
  (data.step === 'stop-sales' || data.step === 'stop-weeks') && data.isChanged === true;

/** Emails to a seller were ended, who can have them again. */
function Stopped({ data }: { data: Stopping }) {
  return (
    <MessagePage figure="lock-open" title={say(TITLES[data.step])}>
      <p role="status">{say(STEPS[data.step].done)}</p>
      <p>
        <a className="text-link" href="/account/notifications">
          {say('Choose what we email you')}
        </a>
      </p>
    </MessagePage>
  );
}

/** Someone has the personal link; whether they are its buyer, a code tells. */
function CodeStep({ ctx, email }: { ctx: PageContext; email: string | null }) {
  const isSent = ctx.query.sent !== undefined;
  const action = isSent ? `${ctx.path}?sent=yes` : ctx.path;
  return (
    <MessagePage figure="lock-closed" title={say(TITLES.code)}>
      <p>
        {say(
          'This personal link is already in use in several browsers. To open your purchase here too, enter a code that we send to the address that paid for it.',
        )}
      </p>
      {email ? (
        <>
          {isSent && (
            <form
              action={action}
              className="w-full max-w-xs space-y-4 text-left text-base text-ink"
              method="post"
            >
              <p role="status">
                {sayWith('A six-digit code is on its way to {email}. It works for ten minutes.', {
                  email: <strong>{email}</strong>,
                })}
              </p>
              <CodeField error={ctx.error} />
              <button className="button button-primary w-full" type="submit">
                {say('Open your purchase')}
              </button>
            </form>
          )}
          {ctx.error && !isSent && <Alert>{ctx.error}</Alert>}
          <form action={action} className="text-base text-ink" method="post">
            <button
              className={`button ${isSent ? 'button-secondary' : 'button-primary'}`}
              type="submit"
            >
              {isSent ? say('Send a new code') : say('Send a code to {email}', { email })}
            </button>
          </form>
        </>
      ) : (
        <Alert>{say('There is no address to send a code to.')}</Alert>
      )}
      <SupportLine email={ctx.config.supportEmail} />
    </MessagePage>
  );
}
