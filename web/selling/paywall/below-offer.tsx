import type { ReactNode } from 'react';
import { isolate } from '../../../contract/isolate.ts';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { type Sentence, say, tell } from '../../languages/say.ts';
import { nameLink } from '../../lib/format.ts';
import type { PageContext } from '../../page.ts';
import { CheckIcon } from '../../ui/icons.tsx';
import { BuyAsGift, Extras, isGift, OtherLinks, type PaywallState } from './offer.tsx';
import type { PaywallLink } from './paywall-link.ts';

interface BelowOfferProps {
  ctx: PageContext;
  /** By its creator, after this visitor bought it. */
  isDeleted: boolean;
  link: PaywallLink | null;
  state: PaywallState;
}

/** What leads to another price, what there is to know before paying, or where to go on. */
export function BelowOffer({ ctx, isDeleted, link, state }: BelowOfferProps) {
  const { payments } = ctx.config;
  if (state === 'paused' || state === 'pending' || state === 'unknown') {
    return link?.mine ? null : <OtherLinks link={link} />;
  }
  if (state === 'unlocked') return isDeleted ? null : <BuyAsGift ctx={ctx} link={link} />;
  if (state === 'free') return link?.mine ? <OwnNote /> : null;
  if (state !== 'locked') return null;
  return (
    <>
      <Extras ctx={ctx} link={link} />
      {link && <StubFacts ctx={ctx} link={link} />}
      <TrustLine payments={payments} />
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

/** What is bought from whom, and what happens once the button is pressed. */
function StubFacts({ ctx, link }: { ctx: PageContext; link: PaywallLink }) {
  const seller = link.seller ?? link.sellerHandle;
  return (
    <dl className="mt-4 text-sm">
      {seller && <Fact name={say('Sold by')}>{isolate(seller)}</Fact>}
      <Fact name={say('You get')}>
        {isolate(nameLink(link))}
        <br />
        {tell(link.summary[0] ?? '')}
      </Fact>
      {/* The form of a gift has said it. */}
      {!isGift(ctx) && (
        <Fact name={say('What happens next')}>{say(nextOf(ctx.config.payments, link.type))}</Fact>
      )}
    </dl>
  );
}

function nextOf(payments: RuntimeConfig['payments'], type: string): Sentence {
  if (type === 'bundle') {
    return payments === 'sandbox'
      ? 'You pay on a test page and come back here; each part opens on its own page.'
      : 'You pay on Stripe’s page and come back here; each part opens on its own page.';
  }
  if (payments === 'sandbox') {
    return type === 'link'
      ? 'You pay on a test page and come back here; a button takes you to what you bought.'
      : 'You pay on a test page and come back here; the download begins by itself.';
  }
  return type === 'link'
    ? 'You pay on Stripe’s page and come back here; a button takes you to what you bought.'
    : 'You pay on Stripe’s page and come back here; the download begins by itself.';
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="mt-2 wrap-anywhere">
      <dt className="text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** What a buyer wants to know before paying. */
function TrustLine({ payments }: Pick<RuntimeConfig, 'payments'>) {
  const promises = [describeCheckout(payments), say('No account needed'), say('All sales final')];
  return (
    <ul className="mt-4 flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
      {promises.map((promise) => (
        <li className="flex items-center gap-1.5" key={promise}>
          <CheckIcon className="size-4" />
          {promise}
        </li>
      ))}
    </ul>
  );
}

/** Who takes the payment; nobody in the sandbox, which is not Stripe. */
export function describeCheckout(payments: RuntimeConfig['payments']): string {
  return say(
    payments === 'sandbox' ? 'Test checkout: no real money moves' : 'Secure checkout by Stripe',
  );
}
