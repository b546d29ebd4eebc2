import { type ReactNode, useEffect, useState } from 'react';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { SENTENCES } from '../../../contract/texts.ts';
import { say } from '../../languages/say.ts';
import { sayWith } from '../../languages/say-with.ts';
import { deliveryAddress } from '../../lib/addresses.ts';
import { graphql, type ResultOf } from '../../lib/graphql.ts';
import { announceClaim } from '../../lib/live-subscription.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { definePage, type PageContext, type PageHead, type PageProps } from '../../page.ts';
import { MessagePage, SupportLine } from '../../ui/message-page.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { PaymentFailed } from './payment-failed.tsx';
import {
  Bought,
  type Checkout,
  checkoutFields,
  EmailAddress,
  PurchaseElsewhere,
  PurchaseHere,
  PurchasesLink,
} from './purchase-here.tsx';

const query = graphql(
  `query Success($sessionId: ID!) { getCheckout(sessionId: $sessionId) { ...CheckoutFields } }`,
  [checkoutFields],
);

/** Without JavaScript. */
const REFRESH_SECONDS = { open: 3, processing: 10 };
const DELIVERY_SECONDS = 1;

const TITLES = {
  none: 'Payment Successful',
  elsewhere: 'Payment Successful',
  open: 'Confirming your payment',
  processing: 'Payment processing',
  failed: 'Payment Failed',
  expired: 'Checkout expired',
  settled: 'Payment Successful',
  suspended: 'Purchase on hold',
  ended: 'Purchase ended',
} as const;

type State = keyof typeof TITLES;

export const page = definePage({
  query,
  variables: (ctx) => ({ sessionId: ctx.query.session_id ?? '' }),
  // A failure while the page is open is shown in place, in the same words.
  redirect: ({ getCheckout: checkout }, ctx) => {
    if (stateOf(checkout, ctx) !== 'failed') return undefined;
    return checkout?.link ? `/failed?link=${checkout.link.id}` : '/failed';
  },
  hydrate: 'now',
  head: ({ getCheckout: checkout }, ctx) => ({
    title: titleOf(checkout, ctx),
    robots: 'noindex',
    refreshWithoutScript: refreshOf(checkout, ctx),
  }),
  Component: Success,
});

function Success({ data, ctx }: PageProps<ResultOf<typeof query>>) {
  const { checkout, late } = useCheckout(ctx.config, data.getCheckout);
  useEffect(() => {
    document.title = `${titleOf(checkout, ctx)} · ${ctx.config.siteName}`;
  }, [checkout, ctx]);
  // A checkout started without JavaScript set the claim cookie without telling other pages.
  useEffect(announceClaim, []);

  const state = stateOf(checkout, ctx);
  const [firstState] = useState(state);
  const settled = state === 'settled';
  const emptied = settled && checkout?.lines.length;
  // The header was drawn before the cart was paid.
  useEffect(() => {
    if (emptied) document.querySelector('.site-cart')?.remove();
  }, [emptied]);
  // A settled purchase has live regions of its own, which would be read out twice.
  return (
    <>
      <p className="sr-only" role="status">
        {settled && firstState !== state && say(TITLES.settled)}
      </p>
      <div aria-live={settled ? undefined : 'polite'}>
        <CheckoutState checkout={checkout} ctx={ctx} late={late} />
      </div>
    </>
  );
}

function titleOf(checkout: Checkout | null, ctx: PageContext): string {
  return say(TITLES[stateOf(checkout, ctx)]);
}

/** Of a checkout that is not the viewer's, the page tells the same as of one that nobody made. */
function stateOf(checkout: Checkout | null, ctx: PageContext): State {
  if (checkout?.mine) return checkout.state as State;
  return ctx.query.session_id ? 'elsewhere' : 'none';
}

function refreshOf(checkout: Checkout | null, ctx: PageContext): PageHead['refreshWithoutScript'] {
  const state = stateOf(checkout, ctx);
  if (state === 'open' || state === 'processing') return { seconds: REFRESH_SECONDS[state] };
  const link = state === 'settled' ? checkout?.link : null;
  // The page says that the file should be downloading; a web address opens with its button.
  if (link?.type !== 'file' || checkout?.gift || checkout?.lines.length) return undefined;
  return { seconds: DELIVERY_SECONDS, to: deliveryAddress(link.id, link.files) };
}

interface CheckoutStateProps {
  checkout: Checkout | null;
  ctx: PageContext;
  late: boolean;
}

function CheckoutState({ checkout, ctx, late }: CheckoutStateProps) {
  const state = stateOf(checkout, ctx);
  const support = ctx.config.supportEmail;
  if (!checkout || state === 'none' || state === 'elsewhere') {
    return (
      <Successful>
        {state === 'elsewhere' ? (
          <PurchaseElsewhere config={ctx.config} sessionId={ctx.query.session_id ?? ''} />
        ) : (
          <p className="text-base">
            {sayWith('Nothing downloading? {find}.', {
              find: <PurchasesLink>{say('Find your purchase by email')}</PurchasesLink>,
            })}
          </p>
        )}
      </Successful>
    );
  }
  const { link, email, price } = checkout;
  const bought = link && <Bought link={link} price={price} />;
  switch (state) {
    case 'open':
      return <Confirming late={late} support={support} />;
    case 'processing':
      return (
        <MessagePage figure="lock-closed" title={say('Thank you')}>
          <p>{say(SENTENCES.paymentProcessing)}</p>
          {bought}
          {email && (
            <p className="text-base">
              {sayWith('We will email you at {email}.', { email: <EmailAddress email={email} /> })}
            </p>
          )}
          <HomepageLink />
        </MessagePage>
      );
    case 'failed':
      return <PaymentFailed linkId={link?.id} support={support} />;
    case 'expired':
      return (
        <MessagePage figure="lock-closed" title={say('Checkout expired')}>
          <p>{say('This checkout expired before it was paid. Nothing was charged.')}</p>
          <PaywallButton link={link} />
          <HomepageLink />
        </MessagePage>
      );
    case 'suspended':
      return (
        <MessagePage figure="lock-closed" title={say('Purchase on hold')}>
          <p>{`${say('This payment was disputed.')} ${say(SENTENCES.accessOnHold)}`}</p>
          {bought}
          <SupportLine email={support} />
          <HomepageLink />
        </MessagePage>
      );
    case 'ended':
      return (
        <MessagePage figure="lock-closed" title={say('Purchase ended')}>
          <p>
            {say(
              checkout.gift
                ? 'Your payment was returned, so the gift has ended.'
                : 'Your payment was returned, so your access has ended.',
            )}
          </p>
          {bought}
          <SupportLine email={support} />
          <PaywallButton link={link} />
          <HomepageLink />
        </MessagePage>
      );
    case 'settled':
      return (
        <Successful>
          <PurchaseHere checkout={checkout} support={support} />
        </Successful>
      );
  }
}

/** The specified words, whoever reads them, and below them what this viewer can do. */
function Successful({ children }: { children: ReactNode }) {
  return (
    <MessagePage figure="lock-open" title={say('Payment Successful')}>
      <p>
        {say('Thank you for your purchase. Your file is now unlocked and should be downloading.')}
      </p>
      {children}
      <HomepageLink />
    </MessagePage>
  );
}

function PaywallButton({ link }: { link: Checkout['link'] }) {
  if (!link) return null;
  return (
    <a className="button button-primary text-base" href={`/p/${link.id}`}>
      {say('Back to the link')}
    </a>
  );
}

function HomepageLink() {
  return (
    <a className="button button-secondary text-base text-ink" href="/">
      {say('Go to Homepage')}
    </a>
  );
}

/** Between the checkout and the provider's confirmation that it was paid. */
function Confirming({ late, support }: { late: boolean; support: string | undefined }) {
  return (
    <MessagePage figure="lock-closed" title={say('Confirming your payment…')}>
      <Spinner text={say('This usually takes a second or two.')} />
      {late && (
        <>
          <p>
            {say(
              'This is taking longer than usual. You can stay here or close this page: if the payment went through, you will get a receipt with your personal link by email.',
            )}
          </p>
          <SupportLine email={support} />
        </>
      )}
    </MessagePage>
  );
}

/** The provider usually answers within a second; after that, polling slows down. */
const QUICK_POLLS = 12;
const QUICK_MS = 250;
const SLOW_MS = 2500;
/** A payment in progress may take days; the page stays correct if it is left open. */
const PROCESSING_MS = 10_000;
const LATE_AFTER_MS = 20_000;
/** The server answers within seconds: a longer request was lost on the way and is repeated. */
const ANSWER_MS = 15_000;

/**
 * Polls until the viewer's checkout has settled or failed. `late`: it has been open for longer than
 * expected.
 */
function useCheckout(config: RuntimeConfig, first: Checkout | null) {
  const [checkout, setCheckout] = useState(first);
  const [polls, setPolls] = useState(0);
  const [late, setLate] = useState(false);
  const processing = checkout?.state === 'processing';
  const isAwaited = checkout?.mine && (checkout.state === 'open' || processing);
  const sessionId = isAwaited ? checkout.sessionId : null;

  useEffect(() => {
    if (!sessionId) return;
    const timer = setTimeout(
      async () => {
        try {
          const signal = AbortSignal.timeout(ANSWER_MS);
          const { getCheckout } = await requestGraphql(config, query, { sessionId }, signal);
          if (getCheckout) setCheckout(getCheckout);
        } catch (error) {
          console.error(error);
        }
        setPolls(polls + 1);
        // Counted since the page was opened.
        setLate(performance.now() > LATE_AFTER_MS);
      },
      pauseAfter(polls, processing),
    );
    return () => clearTimeout(timer);
  }, [config, sessionId, processing, polls]);

  return { checkout, late };
}

/** Milliseconds until the next poll. */
function pauseAfter(polls: number, processing: boolean): number {
  if (processing) return PROCESSING_MS;
  return polls < QUICK_POLLS ? QUICK_MS : SLOW_MS;
}
