import { type ReactNode, useEffect, useState } from 'react';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { say } from '../../languages/say.ts';
import { sayWith } from '../../languages/say-with.ts';
import { deliveryAddress } from '../../lib/addresses.ts';
import { formatDay, formatPrice, nameLink } from '../../lib/format.ts';
import { type FragmentOf, graphql } from '../../lib/graphql.ts';
import { messageOf } from '../../lib/request-error.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import { Alert } from '../../ui/alert.tsx';
import { ArrowIcon, DownloadIcon } from '../../ui/icons.tsx';
import { LinkKey } from '../../ui/link-key.tsx';
import { SupportLine } from '../../ui/message-page.tsx';
import { ContentLink, FileList } from '../paywall/file-list.tsx';
import { openContent } from '../paywall/open-content.ts';

/** What the success page knows of a checkout. */
export const checkoutFields = graphql(`
  fragment CheckoutFields on Checkout {
    sessionId
    state
    mine
    price
    email
    gift { email url }
    boughtBefore { paidAt url }
    link { id type title licenseKeys { key } files { name size mediaType } }
    lines { price link { id type title licenseKeys { key } files { name size mediaType } } }
  }
`);

export type Checkout = FragmentOf<typeof checkoutFields>;

interface PurchaseHereProps {
  checkout: Checkout;
  support: string | undefined;
}

/** Delivers what was bought in this browser: downloads start by themselves, once. */
export function PurchaseHere({ checkout, support }: PurchaseHereProps) {
  const { lines, link, sessionId, price, email, gift, boughtBefore } = checkout;
  const content = link && deliveryAddress(link.id, link.files);
  // Of several things, each is fetched by its own button.
  const startsWith = link?.type === 'file' && lines.length === 0 && !gift ? content : null;

  useEffect(() => {
    const started = `started:${sessionId}`;
    if (!startsWith || sessionStorage.getItem(started)) return;
    sessionStorage.setItem(started, 'yes');
    openContent(startsWith);
  }, [startsWith, sessionId]);

  if (lines.length > 0) return <BoughtTogether checkout={checkout} />;
  if (gift) return <Given checkout={checkout} gift={gift} />;
  if (!link || !content) {
    return (
      <>
        <p>{say('What you bought is not available at the moment.')}</p>
        <SupportLine email={support} />
      </>
    );
  }
  return (
    <>
      <Delivery address={content} link={link} />
      {link.type === 'file' ? (
        <section aria-label={say('Your files')} className="w-full">
          <Bought held link={link} price={price}>
            <div className="px-5">
              <FileList files={link.files ?? []} linkId={link.id} />
            </div>
          </Bought>
        </section>
      ) : (
        <Bought held link={link} price={price} />
      )}
      <Receipt email={email} />
      <Before before={boughtBefore} />
    </>
  );
}

interface DeliveryProps {
  link: NonNullable<Checkout['link']>;
  /** Of the content. */
  address: string;
}

/** The button that leads to what was bought. */
function Delivery({ link, address }: DeliveryProps) {
  if (link.type === 'bundle') {
    return (
      <>
        <p>{say('Everything in the bundle is unlocked now.')}</p>
        <a className="button button-primary w-full text-base" href={`/p/${link.id}`}>
          {say('Go to your bundle')}
          <ArrowIcon className="size-5" />
        </a>
      </>
    );
  }
  if (link.type === 'link') {
    return (
      <>
        <p>{say('You bought a web address. Use this button to open it.')}</p>
        <OpenButton
          address={address}
          className="button button-primary w-full text-base"
          link={link}
        />
      </>
    );
  }
  return (
    <ContentLink
      address={address}
      className="button button-primary w-full text-base"
      opening={say('Starting...')}
    >
      <DownloadIcon className="size-5" />
      {say('Download')}
    </ContentLink>
  );
}

function OpenButton({ link, address, className }: DeliveryProps & { className: string }) {
  return (
    <ContentLink address={address} className={className} opening={say('Opening...')}>
      {say('Open {name}', { name: link.title ?? say('what you bought') })}
      <ArrowIcon className="size-5" />
    </ContentLink>
  );
}

/** The same was bought before: nobody is to pay for it twice by mistake. */
function Before({ before }: { before: Checkout['boughtBefore'] }) {
  if (!before) return null;
  return (
    <p className="card px-5 py-4 text-left text-base">
      {sayWith(
        'You already bought this on {day} with the same address. {return} within 24 hours, and keep the first one.',
        {
          day: formatDay(before.paidAt),
          return: (
            <a className="text-link text-ink" href={before.url}>
              {say('Give this purchase back')}
            </a>
          ),
        },
      )}
    </p>
  );
}

/** All that was paid for at once, each with what delivers it. */
function BoughtTogether({ checkout: { lines, price, email } }: { checkout: Checkout }) {
  return (
    <>
      <p>{say('Everything you bought is unlocked now.')}</p>
      <section aria-label={say('Your purchases')} className="w-full space-y-4">
        {lines.map(({ link, price }) => {
          const content = link && deliveryAddress(link.id, link.files);
          if (!link || !content) return null;
          return (
            <Bought held key={link.id} link={link} price={price}>
              <div className="px-5">
                {link.type === 'file' ? (
                  <FileList files={link.files ?? []} linkId={link.id} />
                ) : (
                  <OpenButton
                    address={content}
                    className="button button-secondary my-4 w-full text-base"
                    link={link}
                  />
                )}
              </div>
            </Bought>
          );
        })}
      </section>
      {price !== null && (
        <p className="font-semibold">
          {say('{price} in one payment.', { price: formatPrice(price) })}
        </p>
      )}
      <Receipt email={email} />
    </>
  );
}

/** Somebody else gets it: here nothing is unlocked, and no download begins. */
function Given({
  checkout: { link, price, email },
  gift,
}: {
  checkout: Checkout;
  gift: NonNullable<Checkout['gift']>;
}) {
  return (
    <>
      <p>
        {sayWith('Your gift is on its way to {email}.', {
          email: <EmailAddress email={gift.email} />,
        })}
      </p>
      {link && <Bought link={link} price={price} />}
      <p className="text-base">
        {email &&
          sayWith('We are sending your receipt to {email}.', {
            email: <EmailAddress email={email} />,
          })}{' '}
        {sayWith('Not arrived yet? {again}', {
          again: (
            <a className="text-link text-ink" href={gift.url}>
              {say('Send it again, or correct the address')}
            </a>
          ),
        })}
      </p>
    </>
  );
}

function Receipt({ email }: { email: string | null }) {
  if (!email) return null;
  return (
    <p className="text-base">
      {sayWith(
        'Your receipt is on its way to {email}. Its personal link opens your purchase on any device. You can also find it under {purchases}.',
        {
          email: <EmailAddress email={email} />,
          purchases: <PurchasesLink>{say('Your purchases')}</PurchasesLink>,
        },
      )}
    </p>
  );
}

/** To the page that lists what was bought, and finds it by the address that paid. */
export function PurchasesLink({ children }: { children: string }) {
  return (
    <a className="text-link text-ink" href="/purchases">
      {children}
    </a>
  );
}

/** Breaks anywhere, so that it fits a phone. */
export function EmailAddress({ email }: { email: string }) {
  return <strong className="font-semibold text-ink [overflow-wrap:anywhere]">{email}</strong>;
}

interface BoughtProps {
  link: NonNullable<Checkout['link']>;
  /** Cents. */
  price: number | null;
  /** The viewer has it. */
  held?: boolean;
  children?: ReactNode;
}

export function Bought({ link, price, held = false, children }: BoughtProps) {
  return (
    <div className="card w-full overflow-hidden text-ink">
      <p className="flex items-center gap-4 bg-well px-5 py-4 text-left text-base font-semibold">
        <LinkKey className="w-14 shrink-0" held={held} id={link.id} />
        <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
          <bdi>{nameLink(link)}</bdi>
        </span>
        {price !== null && <span className="tabular-nums">{formatPrice(price)}</span>}
      </p>
      {children}
      {held && link.licenseKeys.length > 0 && (
        <p className="px-5 text-left text-base">
          <a className="text-link inline-flex min-h-11 items-center" href={`/p/${link.id}`}>
            {say('Your license key')}
          </a>
        </p>
      )}
    </div>
  );
}

const resendReceipt = graphql(
  `mutation ResendReceipt($sessionId: ID!) { resendReceipt(sessionId: $sessionId) }`,
);

type State = { at: 'idle' } | { at: 'sending' } | { at: 'sent' } | { at: 'failed'; why: string };

interface PurchaseElsewhereProps {
  config: RuntimeConfig;
  sessionId: string;
}

/**
 * A checkout that this browser did not make, or that nobody made: an address alone never unlocks.
 * The words are the same for both, so that they tell a stranger nothing.
 */
export function PurchaseElsewhere({ config, sessionId }: PurchaseElsewhereProps) {
  const [state, setState] = useState<State>({ at: 'idle' });
  const hydrated = useHydrated();

  async function resend() {
    setState({ at: 'sending' });
    try {
      await requestGraphql(config, resendReceipt, { sessionId });
      setState({ at: 'sent' });
    } catch (error) {
      setState({ at: 'failed', why: messageOf(error) });
    }
  }

  return (
    <>
      <p className="text-base">
        {sayWith(
          'Nothing downloading? If you paid in another browser or app, your personal link was sent to the email address you entered at checkout. You can also {find}.',
          { find: <PurchasesLink>{say('find your purchase by that address')}</PurchasesLink> },
        )}
      </p>
      {state.at === 'sent' ? (
        <p className="text-base font-medium text-ink" role="status">
          {say(
            'If there is a purchase, its link is on its way. We send it at most once an hour, so please check your inbox.',
          )}
        </p>
      ) : (
        <button
          className="button button-primary text-base"
          disabled={!hydrated || state.at === 'sending'}
          onClick={resend}
          type="button"
        >
          {say(state.at === 'sending' ? 'Sending...' : 'Send the link again')}
        </button>
      )}
      <noscript>
        <p className="text-base">
          {say('Sending it again requires JavaScript, which is turned off in this browser.')}
        </p>
      </noscript>
      {state.at === 'failed' && <Alert>{state.why}</Alert>}
      <SupportLine email={config.supportEmail} />
    </>
  );
}
