import { useEffect, useState } from 'react';
import { checkCode } from '../../../contract/account-checks.ts';
import { collectErrors } from '../../../contract/form-errors.ts';
import { type Sentence, say, tell } from '../../languages/say.ts';
import { sayWith } from '../../languages/say-with.ts';
import { graphql, type ResultOf } from '../../lib/graphql.ts';
import { messageOf, RequestError } from '../../lib/request-error.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { needSession } from '../../lib/sign-in-again.ts';
import { useForm } from '../../lib/use-form.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import { definePage, type PageContext, type PageProps } from '../../page.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { FormError } from '../../ui/alert.tsx';
import { CodeField } from '../../ui/code-field.tsx';
import { CheckIcon, WarningIcon } from '../../ui/icons.tsx';
import { ListFailed } from '../../ui/list-parts.tsx';
import { OperatorFrame } from './operator-frame.tsx';

const query = graphql(`
  query ExamineSetup {
    examineSetup { name state says: saysFact remedy: remedyFact }
  }
`);

type Check = NonNullable<ResultOf<typeof query>['examineSetup']>[number];

export const page = definePage({
  hydrate: 'now',
  head: () => ({ title: say('Set up this site'), robots: 'noindex' }),
  Component: OperatorSetup,
});

/** What the site lacks before strangers can buy, looked at while the page is open. */
function OperatorSetup({ ctx }: PageProps<unknown>) {
  const { config, path } = ctx;
  const [checks, setChecks] = useState<Check[]>();
  const [isFailed, setFailed] = useState(false);
  const [turn, setTurn] = useState(0);
  const [isBusy, setBusy] = useState(true);
  const [done, setDone] = useState({ words: '' });
  const hydrated = useHydrated();

  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn looks anew.
  useEffect(() => {
    const isWanted = new AbortController();
    const show = (found: Check[] | undefined) => {
      if (isWanted.signal.aborted) return;
      setChecks(found);
      setFailed(!found);
      setBusy(false);
    };
    needSession(requestGraphql(config, query, {}, isWanted.signal)).then(
      ({ examineSetup }) => show(examineSetup ?? undefined),
      () => show(undefined),
    );
    return () => isWanted.abort();
  }, [config, turn]);

  function checkAgain() {
    setBusy(true);
    setTurn((before) => before + 1);
  }

  function onProven(email: string) {
    setDone({ words: say('Emails arrive at {email}.', { email }) });
    checkAgain();
  }

  return (
    <OperatorFrame ctx={ctx} done={done} title={say('Set up this site')}>
      <noscript>
        <p className="text-lg">
          {say('Without JavaScript, “npm run cli -- doctor” checks most of this site.')}
        </p>
      </noscript>
      <div className="flex flex-wrap items-center justify-between gap-4 noscript:hidden">
        <p className="text-lg text-muted" role="status">
          {!isFailed && describe(checks)}
        </p>
        <button
          aria-busy={isBusy}
          className="button button-secondary"
          disabled={!hydrated || isBusy}
          onClick={checkAgain}
          type="button"
        >
          {isBusy ? say('Checking...') : say('Check again')}
        </button>
      </div>
      {/* As high as the screen from the start, so that nothing in sight moves. */}
      <div className="min-h-dvh">
        {isFailed && <ListFailed address={path} what={say('The checks')} />}
        {checks && (
          <ul className="card divide-y divide-line">
            {checks.map((check) => (
              <CheckRow check={check} ctx={ctx} key={check.name} onProven={onProven} />
            ))}
          </ul>
        )}
      </div>
    </OperatorFrame>
  );
}

function describe(checks: Check[] | undefined): string {
  if (!checks) return say('This takes a few seconds.');
  const inOrder = checks.filter(({ state }) => state === 'ok').length;
  if (inOrder === checks.length) return say('Everything is in order.');
  return say('{count} of {all} checks are in order.', { count: inOrder, all: checks.length });
}

const TITLES: Record<string, Sentence | undefined> = {
  address: 'Address of the site',
  certificate: 'Certificate',
  webhook: 'Payment events',
  payments: 'Payments',
  mail: 'Emails',
  clock: 'Clock',
  backup: 'Backup',
  payouts: 'Who sells here?',
};

const STATES: Record<string, Sentence | undefined> = {
  ok: 'In order',
  warning: 'To do',
};

interface CheckRowProps {
  check: Check;
  ctx: PageContext;
  onProven(email: string): void;
}

function CheckRow({ check, ctx, onProven }: CheckRowProps) {
  const { name, state, says, remedy } = check;
  return (
    <li className="px-6 py-5 wrap-anywhere">
      <h2 className="flex flex-wrap items-center gap-2 text-lg">
        <span className="flex min-w-0 items-center gap-2">
          {state === 'ok' && <CheckIcon className="size-5 shrink-0" />}
          {state === 'fault' && <WarningIcon className="size-5 shrink-0" />}
          {say(TITLES[name] ?? 'Other')}
        </span>
        <span className="badge">{say(STATES[state] ?? 'Wrong')}</span>
      </h2>
      <p className="mt-2">{tell(says)}</p>
      {remedy && <p className="mt-1 text-muted">{tell(remedy)}</p>}
      {state === 'warning' && <Help {...{ ctx, name, onProven }} />}
    </li>
  );
}

type HelpProps = Omit<CheckRowProps, 'check'> & { name: string };

/** What the page itself can do about it. */
function Help({ name, ctx, onProven }: HelpProps) {
  const { config } = ctx;
  if (name === 'payouts') return <Choices />;
  if (name === 'payments') {
    return (
      <HelpLink href="https://dashboard.stripe.com/apikeys">
        {say('Find your Stripe keys')}
      </HelpLink>
    );
  }
  if (name !== 'mail') return null;
  return config.mailbox ? (
    <HelpLink href="/mailbox">{say('Open the mailbox')}</HelpLink>
  ) : (
    <MailProof {...{ ctx, onProven }} />
  );
}

const HelpLink = ({ href, children }: { href: string; children: string }) => (
  <a className="text-link inline-flex min-h-11 items-center" href={href}>
    {children}
  </a>
);

const send = graphql('mutation SendMailCode { sendMailCode }');
const confirm = graphql(
  'mutation ConfirmMailCode($code: String!) { confirmMailCode(code: $code) }',
);

/** Mails a code, and takes it. */
function MailProof({ ctx: { config }, onProven }: Omit<HelpProps, 'name'>) {
  const [email, setEmail] = useState<string | null>(null);
  const words = email === null ? say('Send me a code') : say('Send a new code');
  const { errors, busy, formProps } = useForm({
    check: ({ code }) => collectErrors({ code: checkCode(code) }),
    async send({ code = '' }) {
      await needSession(requestGraphql(config, confirm, { code }));
      onProven(email ?? '');
    },
    place: (error) =>
      error instanceof RequestError && error.code === 'INVALID_INPUT'
        ? { code: messageOf(error) }
        : undefined,
  });
  return (
    <>
      {email !== null && (
        <form className="mt-4 max-w-xs space-y-4" {...formProps}>
          <p role="status">
            {sayWith('A six-digit code is on its way to {email}. It works for ten minutes.', {
              email: <strong>{email}</strong>,
            })}
          </p>
          <CodeField error={errors.code} />
          {errors[''] && <FormError>{errors['']}</FormError>}
          <button
            aria-busy={busy}
            className="button button-primary w-full"
            disabled={busy}
            type="submit"
          >
            {busy ? say('Checking...') : say('Confirm')}
          </button>
        </form>
      )}
      <div className="mt-4">
        <ActButton
          act={async () => setEmail((await requestGraphql(config, send, {})).sendMailCode)}
          busyWords={say('Sending...')}
          label={words}
          onDone={async () => {}}
          tone="secondary"
          words={words}
        />
      </div>
    </>
  );
}

const CHOICES = [
  {
    lines: ['PAYOUTS=solo', 'OPERATOR_EMAILS=you@example.com'],
    name: 'You alone',
    hint: 'There is no fee, and nobody is paid out. OPERATOR_EMAILS names the address you sign in with.',
  },
  {
    lines: ['PAYOUTS=manual'],
    name: 'Others as well, whom you pay by hand',
    hint: 'Sellers request payouts, and you send them the money yourself.',
  },
  {
    lines: ['PAYOUTS=connect'],
    name: 'Others as well, whom Stripe pays automatically',
    hint: 'Sellers open an account at Stripe. “stripe setup” prints two more secrets to set.',
  },
] as const satisfies { lines: string[]; name: Sentence; hint: Sentence }[];

function Choices() {
  return (
    <ul className="mt-4 space-y-4">
      {CHOICES.map(({ lines, name, hint }) => (
        <li key={name}>
          <p className="font-medium">{say(name)}</p>
          <p className="text-sm text-muted">{say(hint)}</p>
          {lines.map((line) => (
            <p className="mt-1 text-sm" key={line}>
              <code>{line}</code>
            </p>
          ))}
        </li>
      ))}
    </ul>
  );
}
