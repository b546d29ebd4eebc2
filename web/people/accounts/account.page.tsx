import { useEffect, useState } from 'react';
import type { AccountPageData } from '../../../contract/account-details.ts';
import { collectErrors } from '../../../contract/form-errors.ts';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { say } from '../../languages/say.ts';
import { deleteAccount, saveFirstName } from '../../lib/accounts.ts';
import { graphql } from '../../lib/graphql.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { signInAgain } from '../../lib/sign-in-again.ts';
import { definePage, type PageProps } from '../../page.ts';
import { Field } from '../../ui/field.tsx';
import { SectionTabs } from '../../ui/section-tabs.tsx';
import { SignOut } from '../../ui/sign-out.tsx';
import { EmailSection } from './email-section.tsx';
import { NotificationsSection } from './notifications-section.tsx';
import { Passkeys } from './passkeys.tsx';
import { PasswordSection } from './password-section.tsx';
import { SecretKeys } from './secret-keys.tsx';
import { AccountSection, CurrentPassword, SectionForm, useSectionForm } from './section.tsx';
import { SellerPageSection } from './seller-page-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { TwoFactor } from './two-factor.tsx';

const NOTIFICATIONS = '/account/notifications';

export const page = definePage({
  hydrate: 'now',
  head: (_data: AccountPageData, { path }) => {
    const account = say('Account');
    const section = SECTIONS.find(({ href }) => href === path);
    return { title: section ? `${say(section.label)} · ${account}` : account, robots: 'noindex' };
  },
  Component: Account,
});

type AccountProps = PageProps<AccountPageData>;

const SECTIONS = [
  { href: '/account/profile', label: 'Profile', Section: Profile },
  { href: '/account/security', label: 'Security', Section: Security },
  { href: NOTIFICATIONS, label: 'Notifications', Section: Notifications },
  { href: '/account/programs', label: 'Programs', Section: Programs },
] as const;

/** Everything a creator sets up once, in sections; the account's own address shows the first. */
function Account({ data, ctx }: AccountProps) {
  const { href: current, Section } = SECTIONS.find(({ href }) => href === ctx.path) ?? SECTIONS[0];
  useEffect(() => {
    // Where emails led before there were sections.
    if (location.hash === '#notifications') location.replace(NOTIFICATIONS);
  }, []);
  return (
    <div className="account-page">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-3xl sm:text-4xl">{say('Account')}</h1>
        <SignOut />
      </div>
      <p className="mt-2 flex flex-wrap gap-x-6">
        <a className="text-link inline-flex min-h-11 items-center" href="/purchases">
          {say('Your purchases')}
        </a>
        {data.isOperator && (
          <a className="text-link inline-flex min-h-11 items-center" href="/operator">
            {say('Operator')}
          </a>
        )}
      </p>
      <SectionTabs
        current={current}
        label={say('Account')}
        sections={SECTIONS.filter(({ href }) => href !== NOTIFICATIONS || ctx.viewer?.sells)}
      />
      <Section ctx={ctx} data={data} />
    </div>
  );
}

/** Who they are, for us and for buyers. */
function Profile({ data, ctx }: AccountProps) {
  return (
    <>
      <NameSection firstName={ctx.viewer?.firstName ?? ''} />
      <SellerSection config={ctx.config} sellerName={data.sellerName} />
      {ctx.viewer?.sells && <SellerPageSection config={ctx.config} page={data.sellerPage} />}
    </>
  );
}

/** How they sign in and where they are signed in, and the end of the account. */
function Security({ data, ctx }: AccountProps) {
  const { passwords } = ctx.config.signIn;
  const hasPassword = data.hasPassword && passwords;
  const [email, setEmail] = useState(data.email);
  const [sessions, setSessions] = useState(data.sessions);
  return (
    <>
      <EmailSection email={email} hasPassword={hasPassword} onChanged={setEmail} />
      <PasswordSection
        email={email}
        hasPassword={hasPassword}
        onSignedOutElsewhere={() => setSessions(sessions.filter(({ current }) => current))}
      />
      {hasPassword && <TwoFactor isOn={data.twoFactor} />}
      {passwords && (
        <Passkeys
          device={data.sessions.find(({ current }) => current)?.device ?? ''}
          held={data.passkeys}
          origin={ctx.config.origin}
        />
      )}
      <SessionsSection hasPassword={hasPassword} onChanged={setSessions} sessions={sessions} />
      <DeletionSection config={ctx.config} email={email} hasPassword={data.hasPassword} />
    </>
  );
}

function Notifications({ data, ctx }: AccountProps) {
  return <NotificationsSection config={ctx.config} data={data} viewerId={ctx.viewer?.id ?? ''} />;
}

/** What their own programs may do, and what these are told. */
function Programs({ data, ctx }: AccountProps) {
  return (
    <>
      <SecretKeys config={ctx.config} held={data.secretKeys} />
      <AccountSection
        explanation={say(
          'Addresses of your own programs. Each is notified of your sales, refunds, disputes, links and payouts as they happen.',
        )}
        title={say('Webhooks')}
      >
        <a className="button button-secondary" href="/account/webhooks">
          {say('Open your webhooks')}
        </a>
      </AccountSection>
    </>
  );
}

/** What the product calls a person. */
function NameSection({ firstName: initial }: { firstName: string }) {
  const [status, setStatus] = useState('');
  const form = useSectionForm({
    check: ({ firstName }) =>
      collectErrors({ firstName: !firstName?.trim() && say('Enter your first name.') }),
    async send({ firstName = '' }) {
      await saveFirstName(firstName.trim());
      setStatus(say('Saved. Hello, {name}.', { name: firstName.trim() }));
    },
  });
  return (
    <AccountSection
      explanation={say('How we greet you, here and in emails. Buyers do not see it.')}
      onBegun={() => setStatus('')}
      status={status}
      title={say('First Name')}
    >
      <SectionForm busyLabel={say('Saving...')} form={form} submitLabel={say('Save name')}>
        <Field
          autoComplete="given-name"
          defaultValue={initial}
          error={form.errors.firstName}
          label={say('First Name')}
          name="firstName"
          required
        />
      </SectionForm>
    </AccountSection>
  );
}

interface SellerSectionProps {
  config: RuntimeConfig;
  sellerName: string | null;
}

/** Who buyers are told they buy from. */
function SellerSection({ config, sellerName }: SellerSectionProps) {
  const [status, setStatus] = useState('');
  const form = useSectionForm({
    check: () => ({}),
    async send({ sellerName: name = '' }) {
      const { setSellerName: kept } = await requestGraphql(config, change, { name });
      setStatus(
        kept
          ? say('Saved. Buyers see “by {name}”.', { name: kept })
          : say('Saved. Your links no longer show a seller name.'),
      );
    },
  });
  return (
    <AccountSection
      explanation={say('Shown to buyers on your links. Leave blank to sell without a name.')}
      onBegun={() => setStatus('')}
      status={status}
      title={say('Seller name')}
    >
      <SectionForm busyLabel={say('Saving...')} form={form} submitLabel={say('Save seller name')}>
        <Field
          autoComplete="organization"
          defaultValue={sellerName ?? ''}
          error={form.errors.sellerName}
          label={say('Seller name')}
          name="sellerName"
        />
      </SectionForm>
    </AccountSection>
  );
}

const change = graphql(`
  mutation SetSellerName($name: String) {
    setSellerName(name: $name)
  }
`);

interface DeletionSectionProps {
  config: RuntimeConfig;
  email: string;
  hasPassword: boolean;
}

/** Deletes the account, after the password (or a very recent sign-in) and a typed confirmation. */
function DeletionSection({ config, email, hasPassword }: DeletionSectionProps) {
  const form = useSectionForm({
    check: ({ currentPassword, confirmation = '' }) =>
      collectErrors({
        currentPassword: hasPassword && !currentPassword && say('Enter your current password.'),
        confirmation:
          confirmation.trim().toLowerCase() !== email.toLowerCase() &&
          say('Type the email address of your account to confirm.'),
      }),
    async send({ currentPassword, confirmation = '' }) {
      await deleteAccount(confirmation, currentPassword);
      location.assign('/?account=deleted');
    },
  });
  const consequences = say(
    'This cannot be undone. Your links are taken off sale, and your name and email address are erased. Your buyers keep what they bought, and you can still open your own purchases with the links in your receipts.',
  );
  const condition = say('Your balance must be zero: have it paid out first.');
  return (
    <AccountSection
      explanation={config.payouts.kind === 'solo' ? consequences : `${consequences} ${condition}`}
      title={say('Delete account')}
    >
      <SectionForm
        beside={
          !hasPassword && (
            <button className="text-link min-h-11" onClick={signInAgain} type="button">
              {say('Sign in again first')}
            </button>
          )
        }
        busyLabel={say('Deleting...')}
        form={form}
        isDangerous
        submitLabel={say('Delete account')}
      >
        {hasPassword && <CurrentPassword email={email} error={form.errors.currentPassword} />}
        <Field
          autoComplete="off"
          error={form.errors.confirmation}
          hint={email}
          label={say('Type your email address to confirm')}
          name="confirmation"
          required
          spellCheck={false}
        />
      </SectionForm>
    </AccountSection>
  );
}
