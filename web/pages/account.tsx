import type { AccountDetails } from '../../contract/account-details.ts';
import { EmailSection } from '../components/account/email-section.tsx';
import { Passkeys } from '../components/account/passkeys.tsx';
import { TwoFactor } from '../components/account/two-factor.tsx';
import { definePage, type PageProps } from '../page.ts';

export const page = definePage({
  hydrate: 'now',
  head: () => ({ title: 'Account · Padlink', robots: 'noindex' }),
  Component: Account,
});

/** Everything a creator settles once: who they are, how they sign in, their keys. */
function Account({ data, ctx }: PageProps<AccountDetails>) {
  return (
    <div className="mx-auto flex w-full max-w-2xl flex-col gap-6 px-5 py-12 sm:py-16">
      <h1 className="text-3xl sm:text-4xl">Account</h1>
      <EmailSection email={data.email} />
      {data.hasPassword && ctx.config.signIn.passwords && <TwoFactor isOn={data.twoFactor} />}
      {ctx.config.signIn.passwords && (
        <Passkeys
          device={data.sessions.find(({ current }) => current)?.device ?? ''}
          held={data.passkeys}
          origin={ctx.config.origin}
        />
      )}
    </div>
  );
}
