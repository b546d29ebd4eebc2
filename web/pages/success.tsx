import { useEffect } from 'react';
import { Confirming } from '../components/confirming.tsx';
import { MessagePage } from '../components/message-page.tsx';
import { PurchaseElsewhere } from '../components/purchase-elsewhere.tsx';
import { PurchaseHere } from '../components/purchase-here.tsx';
import { SupportLine } from '../components/support-line.tsx';
import { type Checkout, checkoutFields } from '../data/checkout.ts';
import { graphql, type ResultOf } from '../data/graphql.ts';
import { announceClaim } from '../data/live/claim-channel.ts';
import { useCheckout } from '../data/use-checkout.ts';
import { definePage, type PageContext, type PageProps } from '../page.ts';

const query = graphql(
  `query Success($sessionId: ID!) { getCheckout(sessionId: $sessionId) { ...CheckoutFields } }`,
  [checkoutFields],
);

const NO_SCRIPT_REFRESH_SECONDS = 3;

const TITLES: Record<string, string> = {
  open: 'Confirming your payment',
  processing: 'Payment processing',
  failed: 'Payment Failed',
};

export const page = definePage({
  query,
  variables: (ctx) => ({ sessionId: ctx.query.session_id ?? '' }),
  hydrate: 'now',
  head: ({ getCheckout: checkout }) => ({
    title: titleOf(checkout),
    robots: 'noindex',
    refreshWithoutScript: checkout?.state === 'open' ? NO_SCRIPT_REFRESH_SECONDS : undefined,
  }),
  Component: Success,
});

function Success({ data, ctx }: PageProps<ResultOf<typeof query>>) {
  const { checkout, late } = useCheckout(ctx.config, data.getCheckout);
  useEffect(() => {
    document.title = titleOf(checkout);
  }, [checkout]);
  // A checkout begun without JavaScript gave the claim without telling.
  useEffect(announceClaim, []);

  return (
    <div aria-live="polite">
      <CheckoutState checkout={checkout} ctx={ctx} late={late} />
    </div>
  );
}

function titleOf(checkout: Checkout | null): string {
  return `${TITLES[checkout?.state ?? ''] ?? 'Payment Successful'} · Padlink`;
}

interface CheckoutStateProps {
  checkout: Checkout | null;
  ctx: PageContext;
  late: boolean;
}

function CheckoutState({ checkout, ctx, late }: CheckoutStateProps) {
  switch (checkout?.state) {
    case 'open':
      return <Confirming late={late} support={ctx.config.supportEmail} />;
    case 'processing':
      return (
        <MessagePage lock="closed" title="Thank you">
          <p>Your payment is being processed; we will e-mail you.</p>
          <HomepageLink />
        </MessagePage>
      );
    case 'failed':
      return <PaymentFailed checkout={checkout} ctx={ctx} />;
    default:
      return (
        <MessagePage lock="open" title="Payment Successful">
          <p>Thank you for your purchase. Your file is now unlocked and should be downloading.</p>
          {checkout?.mine && <PurchaseHere checkout={checkout} />}
          {checkout && !checkout.mine && (
            <PurchaseElsewhere config={ctx.config} sessionId={checkout.sessionId} />
          )}
          <HomepageLink />
        </MessagePage>
      );
  }
}

function PaymentFailed({ checkout, ctx }: { checkout: Checkout; ctx: PageContext }) {
  return (
    <MessagePage lock="closed" title="Payment Failed">
      <p>Your payment did not go through and nothing was charged.</p>
      <SupportLine email={ctx.config.supportEmail} />
      <a
        className="button button-primary text-base"
        href={checkout.link ? `/p/${checkout.link.id}` : '/'}
      >
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
