import { useState } from 'react';
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
import { EmailSection } from './email-section.tsx';
import { NotificationsSection } from './notifications-section.tsx';
import { Passkeys } from './passkeys.tsx';
import { PasswordSection } from './password-section.tsx';
import { SecretKeys } from './secret-keys.tsx';
import { AccountSection, CurrentPassword, SectionForm, useSectionForm } from './section.tsx';
import { SellerPageSection } from './seller-page-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { TwoFactor } from './two-factor.tsx';

export const page = definePage({
  hydrate: 'now',
  head: () => ({ title: `${say('Account')} · Padlink`, robots: 'noindex' }),
  Component: Account,
});

/** Everything a creator sets up once: who they are, how they sign in, their keys. */
function Account({ data, ctx }: PageProps<AccountPageData>) {
  const { passwords } = ctx.config.signIn;
  const hasPassword = data.hasPassword && passwords;
  const [email, setEmail] = useState(data.email);
  const [sessions, setSessions] = useState(data.sessions);

  return (
    <div className="account-page">
      <div className="mb-6">
        <h1 className="text-3xl sm:text-4xl">{say('Account')}</h1>
        <p className="mt-2 flex flex-wrap gap-x-6">
          <a className="text-link inline-flex min-h-11 items-center" href="/purchases">
            {say('Your purchases')}
          </a>
          <a className="text-link inline-flex min-h-11 items-center" href="/account/webhooks">
            {say('Webhooks')}
          </a>
          {data.isOperator && (
            <a className="text-link inline-flex min-h-11 items-center" href="/operator">
              {say('Operator')}
            </a>
          )}
        </p>
      </div>
      <NameSection firstName={ctx.viewer?.firstName ?? ''} />
      <SellerSection config={ctx.config} sellerName={data.sellerName} />
      {ctx.viewer?.sells && <SellerPageSection config={ctx.config} page={data.sellerPage} />}
      {ctx.viewer?.sells && (
        <NotificationsSection config={ctx.config} data={data} viewerId={ctx.viewer.id} />
      )}
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
      <SecretKeys config={ctx.config} held={data.secretKeys} />
      <SessionsSection hasPassword={hasPassword} onChanged={setSessions} sessions={sessions} />
      <DeletionSection config={ctx.config} email={email} hasPassword={data.hasPassword} />
    </div>
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
      explanation={say('Shown to buyers on your links. Leave it empty to sell without a name.')}
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
