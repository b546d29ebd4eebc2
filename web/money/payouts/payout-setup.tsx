import { useId, useState } from 'react';
import { PAYOUT_COUNTRIES } from '../../../contract/payout-countries.ts';
import { say, spoken, tell } from '../../languages/say.ts';
import { graphql } from '../../lib/graphql.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { isSignInStale, needSession } from '../../lib/sign-in-again.ts';
import { useForm } from '../../lib/use-form.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import type { PageContext } from '../../page.ts';
import { Alert, FormError } from '../../ui/alert.tsx';
import { ChangeFailure } from '../../ui/change-failure.tsx';
import { type Money, nameProvider } from './money-query.ts';

const begin = graphql(`
  mutation BeginPayoutOnboarding($country: String) { beginPayoutOnboarding(country: $country) }
`);

/** The way to an account that payouts can go to: what the provider asks for is told it alone. */
export function PayoutSetup({ ctx, money }: { ctx: PageContext; money: Money }) {
  const { state, missing } = money.account;
  const provider = nameProvider(ctx.config);
  const isBegun = state === 'incomplete';
  // Nothing is missing and it is not ready: the provider looks at what it was told.
  const isChecked = isBegun && missing.length === 0;
  return (
    <section aria-labelledby="set-up" className="card px-6 py-6 shadow-card sm:px-8">
      <h2 className="text-xl" id="set-up">
        {say(isBegun ? 'Your payout account' : 'Set up payouts')}
      </h2>
      {ctx.query.account === 'expired' && (
        <div className="mt-3">
          <Alert>
            {say('The link to {provider} has expired. Continue to open a new one.', { provider })}
          </Alert>
        </div>
      )}
      {isChecked && (
        <p className="mt-2 max-w-prose">
          {say(
            ctx.config.payments === 'sandbox'
              ? 'The sandbox is checking what you entered. There is nothing to do: this page tells you once you can be paid.'
              : 'Stripe is checking what you entered. There is nothing to do: this page tells you once you can be paid.',
          )}
        </p>
      )}
      {isBegun && !isChecked && (
        <>
          <p className="mt-2">
            {say('Before you can be paid, {provider} still needs:', { provider })}
          </p>
          <ul className="mt-2 list-disc space-y-1 ps-6">
            {missing.map((what) => (
              <li key={what}>{tell(what)}</li>
            ))}
          </ul>
        </>
      )}
      {!isBegun && (
        <p className="mt-2 max-w-prose">
          {say(
            'Tell {provider}, which handles the payments, who you are and which bank account to pay. It takes a few minutes. We only see your bank’s name and the last digits of the account.',
            { provider },
          )}
        </p>
      )}
      {!isChecked && <SetupForm ctx={ctx} isBegun={isBegun} provider={provider} />}
      <noscript>
        <p className="mt-3">
          {say('Setting up payouts requires JavaScript, which is turned off in this browser.')}
        </p>
      </noscript>
    </section>
  );
}

/** By what they are called, which in English they are already. */
function listCountries() {
  const countries = Object.entries(PAYOUT_COUNTRIES).map(([code, name]) => ({
    code,
    name: say(name),
  }));
  const language = spoken()?.language;
  if (!language) return countries;
  return countries.sort((one, other) => one.name.localeCompare(other.name, language));
}

interface SetupFormProps {
  ctx: PageContext;
  isBegun: boolean;
  provider: string;
}

function SetupForm({ ctx, isBegun, provider }: SetupFormProps) {
  const id = useId();
  const hydrated = useHydrated();
  const [stale, setStale] = useState<unknown>();
  const form = useForm({
    check: () => ({}),
    async send({ country }) {
      setStale(undefined);
      const work = requestGraphql(ctx.config, begin, { country: country ?? null });
      location.assign((await needSession(work)).beginPayoutOnboarding);
    },
    place(error) {
      if (!isSignInStale(error)) return undefined;
      setStale(error);
      return {};
    },
  });
  return (
    <form {...form.formProps} className="mt-5 space-y-5" method="post">
      {!isBegun && (
        <div className="max-w-sm">
          <label className="mb-1.5 block font-medium" htmlFor={id}>
            {say('Country of your bank account')}
          </label>
          <select className="input" defaultValue="US" id={id} name="country">
            {listCountries().map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        </div>
      )}
      <ChangeFailure error={stale} />
      {form.errors[''] && <FormError>{form.errors['']}</FormError>}
      <button
        aria-busy={form.busy}
        className="button button-primary"
        disabled={!hydrated || form.busy}
        type="submit"
      >
        {form.busy ? say('Opening...') : say('Continue at {provider}', { provider })}
      </button>
    </form>
  );
}
