import { useEffect } from 'react';
import { Confirming } from '../components/confirming.tsx';
import { MessagePage } from '../components/message-page.tsx';
import { NoPurchaseHere } from '../components/no-purchase-here.tsx';
import { PurchaseHere } from '../components/purchase-here.tsx';
import { SupportLine } from '../components/support-line.tsx';
import { contentAddress } from '../data/addresses.ts';
import { type Checkout, checkoutFields } from '../data/checkout.ts';
import { graphql, type ResultOf } from '../data/graphql.ts';
import { announceClaim } from '../data/live/claim-channel.ts';
import { useCheckout } from '../data/use-checkout.ts';
import { definePage, type PageContext, type PageHead, type PageProps } from '../page.ts';

const query = graphql(
  `query Success($sessionId: ID!) { getCheckout(sessionId: $sessionId) { ...CheckoutFields } }`,
  [checkoutFields],
);

/** Without JavaScript. */
const REFRESH_SECONDS = { open: 3, processing: 10 };
const DELIVERY_SECONDS = 1;

const TITLES = {
  open: 'Confirming your payment',
  processing: 'Payment processing',
  failed: 'Payment Failed',
  settled: 'Payment Successful',
  missing: 'No purchase found',
};

export const page = definePage({
  query,
  variables: (ctx) => ({ sessionId: ctx.query.session_id ?? '' }),
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
    document.title = titleOf(checkout, ctx);
  }, [checkout, ctx]);
  // A checkout begun without JavaScript gave the claim without telling.
  useEffect(announceClaim, []);

  return (
    <div aria-live="polite">
      <CheckoutState checkout={checkout} ctx={ctx} late={late} />
    </div>
  );
}

function titleOf(checkout: Checkout | null, ctx: PageContext): string {
  return `${TITLES[stateOf(checkout, ctx)]} · Padlink`;
}

/** What this browser may be told of the checkout that the address names, if it names one. */
function stateOf(checkout: Checkout | null, ctx: PageContext): keyof typeof TITLES {
  if (!checkout) return ctx.query.session_id === undefined ? 'settled' : 'missing';
  if (checkout.state === 'open' || checkout.state === 'failed') return checkout.state;
  if (!checkout.mine) return 'missing';
  return checkout.state === 'processing' ? 'processing' : 'settled';
}

function refreshOf(checkout: Checkout | null, ctx: PageContext): PageHead['refreshWithoutScript'] {
  const state = stateOf(checkout, ctx);
  if (state === 'open' || state === 'processing') return { seconds: REFRESH_SECONDS[state] };
  const link = state === 'settled' ? checkout?.link : null;
  // The page says that the file should be downloading; a web address opens with its button.
  if (link?.type !== 'file') return undefined;
  return { seconds: DELIVERY_SECONDS, to: contentAddress(link.id) };
}

interface CheckoutStateProps {
  checkout: Checkout | null;
  ctx: PageContext;
  late: boolean;
}

function CheckoutState({ checkout, ctx, late }: CheckoutStateProps) {
  switch (stateOf(checkout, ctx)) {
    case 'open':
      return <Confirming late={late} support={ctx.config.supportEmail} />;
    case 'processing':
      return (
        <MessagePage figure="lock-closed" title="Thank you">
          <p>Your payment is being processed; we will e-mail you.</p>
          <HomepageLink />
        </MessagePage>
      );
    case 'failed':
      return <PaymentFailed link={checkout?.link} support={ctx.config.supportEmail} />;
    case 'missing':
      return <NoPurchaseHere config={ctx.config} sessionId={ctx.query.session_id ?? ''} />;
    case 'settled':
      return (
        <MessagePage figure="lock-open" title="Payment Successful">
          <p>Thank you for your purchase. Your file is now unlocked and should be downloading.</p>
          {checkout && <PurchaseHere checkout={checkout} />}
          <HomepageLink />
        </MessagePage>
      );
  }
}

interface PaymentFailedProps {
  link: Checkout['link'] | undefined;
  support: string | null;
}

function PaymentFailed({ link, support }: PaymentFailedProps) {
  return (
    <MessagePage figure="lock-closed" title="Payment Failed">
      <p>Your payment did not go through and nothing was charged.</p>
      <SupportLine email={support} />
      <a className="button button-primary text-base" href={link ? `/p/${link.id}` : '/'}>
        Try Again
      </a>
    </MessagePage>
  );
}

function HomepageLink() {
  return (
    <a className="button button-secondary text-base text-ink" href="/">
      Go to Homepage
    </a>
  );
}
