import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { WALLETS } from '../../../contract/ways-to-pay.ts';
import { say, tell } from '../../languages/say.ts';
import type { PageContext } from '../../page.ts';
import { WaysOut } from '../../ui/message-page.tsx';
import { BuyAsGift, Extras, type PaywallState } from './offer.tsx';
import type { PaywallLink } from './paywall-link.ts';

interface BelowOfferProps {
  ctx: PageContext;
  /** What is known of the link where it is drawn. */
  drawn: { deletedAt: string | null; offersCart: boolean } | null;
  link: PaywallLink | null;
  state: PaywallState;
  /** How buyers may pay. */
  ways: string[];
}

/** What leads to another price, what there is to know before paying, or where to go on. */
export function BelowOffer({ ctx, drawn, link, state, ways }: BelowOfferProps) {
  if (state === 'unknown') {
    return (
      <div className="mt-4 text-center text-sm">
        <WaysOut />
      </div>
    );
  }
  // Its creator may have deleted it after this visitor bought it.
  if (state === 'unlocked') return drawn?.deletedAt ? null : <BuyAsGift ctx={ctx} link={link} />;
  if (state === 'free') return link?.mine ? <OwnNote /> : null;
  if (state !== 'locked') return null;
  return (
    <>
      <Extras ctx={ctx} link={link} offersCart={drawn?.offersCart ?? false} />
      {link?.discount?.price === 0 ? (
        <FreeNote />
      ) : (
        <>
          <TrustLine payments={ctx.config.payments} />
          <Wallets ways={ways} />
        </>
      )}
    </>
  );
}

/** Why the owner is asked for no price. */
function OwnNote() {
  return (
    <p className="mt-2 text-sm text-muted">
      {say('You created this link, so you unlock it without paying.')}
    </p>
  );
}

/** Where what a code makes free is found again: no receipt leads to it. */
function FreeNote() {
  return (
    <p className="mt-2 text-sm text-muted">
      {say('What is free stays in this browser, or in your account if you are signed in.')}
    </p>
  );
}

/** What a buyer wants to know before paying. Every page says by itself that payments are no real ones. */
function TrustLine({ payments }: Pick<RuntimeConfig, 'payments'>) {
  const promises = [
    ...(payments === 'sandbox' ? [] : [describeCheckout(payments)]),
    say('No account needed'),
    say('All sales final'),
  ];
  return <p className="mt-2 text-sm text-muted">{promises.join(' · ')}</p>;
}

/** That a buyer needs no card at hand, where that is so. */
function Wallets({ ways }: Pick<BelowOfferProps, 'ways'>) {
  const wallets = ways.flatMap((way) => WALLETS[way as keyof typeof WALLETS] ?? []);
  if (wallets.length === 0) return null;
  const text = ways.includes('card')
    ? 'Pay by card, and with {wallets} where your device and country allow it.'
    : 'Pay with {wallets} where your device and country allow it.';
  const values = { wallets: wallets.map((name) => ({ text: name })) };
  return <p className="mt-1 text-sm text-muted">{tell({ text, values })}</p>;
}

/** Who takes the payment; nobody in the sandbox, which is not Stripe. */
export function describeCheckout(payments: RuntimeConfig['payments']): string {
  return say(
    payments === 'sandbox' ? 'Test checkout: no real money moves' : 'Secure checkout by Stripe',
  );
}
