import { useState } from 'react';
import type { AccountPageData } from '../../contract/account-details.ts';
import { DeletionSection } from '../components/account/deletion-section.tsx';
import { EmailSection } from '../components/account/email-section.tsx';
import { NameSection } from '../components/account/name-section.tsx';
import { Passkeys } from '../components/account/passkeys.tsx';
import { PasswordSection } from '../components/account/password-section.tsx';
import { SecretKeys } from '../components/account/secret-keys.tsx';
import { SellerSection } from '../components/account/seller-section.tsx';
import { SessionsSection } from '../components/account/sessions-section.tsx';
import { TwoFactor } from '../components/account/two-factor.tsx';
import { definePage, type PageProps } from '../page.ts';

export const page = definePage({
  hydrate: 'now',
  head: () => ({ title: 'Account · Padlink', robots: 'noindex' }),
  Component: Account,
});

/** Everything a creator settles once: who they are, how they sign in, their keys. */
function Account({ data, ctx }: PageProps<AccountPageData>) {
  const { passwords } = ctx.config.signIn;
  const hasPassword = data.hasPassword && passwords;
  const [email, setEmail] = useState(data.email);
  const [sessions, setSessions] = useState(data.sessions);

  return (
    <div className="account-page">
      <h1 className="mb-8 text-3xl sm:text-4xl">Account</h1>
      <NameSection firstName={ctx.viewer?.firstName ?? ''} />
      <SellerSection config={ctx.config} sellerName={data.sellerName} />
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
      <DeletionSection email={email} hasPassword={data.hasPassword} />
    </div>
  );
}
