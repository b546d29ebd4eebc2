import { SENTENCES, TEXTS } from '../../contract/texts.ts';
import { Alert } from '../components/alert.tsx';
import { FileList } from '../components/file-list.tsx';
import { Lock } from '../components/lock.tsx';
import { ItemHead } from '../components/paywall/item-head.tsx';
import { ItemPicture } from '../components/paywall/item-picture.tsx';
import { Offer, type PaywallState } from '../components/paywall/offer.tsx';
import { OwnerBar } from '../components/paywall/owner-bar.tsx';
import { OwnerTools } from '../components/paywall/owner-tools.tsx';
import { PreviewNote } from '../components/paywall/preview-note.tsx';
import { TrustLine } from '../components/trust-line.tsx';
import { ViewPixel } from '../components/view-pixel.tsx';
import { describeCheckout } from '../data/describe-checkout.ts';
import { formatPrice } from '../data/format.ts';
import type { ResultOf } from '../data/graphql.ts';
import { type PaywallLink, paywallQuery, usePaywallLink } from '../data/paywall-link.ts';
import { definePage, type PageContext, type PageProps } from '../page.ts';

export const page = definePage({
  query: paywallQuery,
  variables: (ctx) => ({ id: ctx.params.id ?? '' }),
  fallback: { getPaywallLink: null },
  status: (data, ctx) => ctx.failed?.getPaywallLink ?? (data.getPaywallLink ? 200 : 404),
  hydrate: 'late',
  head: ({ getPaywallLink: link }, ctx) => ({
    title: `${link?.title ?? 'Paywalled Content'} · Padlink`,
    description: link ? describe(link, ctx) : undefined,
    robots: link && !link.noindex && !link.unlisted ? undefined : 'noindex',
    canonical: link ? `${ctx.config.origin}/p/${link.id}` : undefined,
  }),
  Component: Paywall,
});

function Paywall({ data, ctx }: PageProps<ResultOf<typeof paywallQuery>>) {
  const [link, show] = usePaywallLink(data.getPaywallLink, ctx);
  const state = stateOf(link, ctx);
  const unpaid = state === 'locked' ? describeUnpaid(link, ctx) : '';
  return (
    <div className="mx-auto w-full max-w-md px-4 py-4 sm:py-14 min-[52rem]:max-w-4xl">
      {link && ctx.preview && <PreviewNote id={link.id} />}
      {link?.mine && <OwnerBar id={link.id} origin={ctx.config.origin} />}
      {link?.fault && (
        <div className="mb-4">
          <Alert>{link.fault}</Alert>
        </div>
      )}
      <article className="paywall-ticket card shadow-card">
        <ItemPicture link={link} />
        <header className="px-5 pt-0 pb-4 [grid-area:head] sm:px-9 sm:pb-7">
          <div className="paywall-seal">
            <Lock className="size-8" open={state === 'unlocked'} />
          </div>
          <h1
            className={
              link ? 'mt-1.5 text-[0.9375rem] text-muted tracking-normal sm:mt-4' : 'mt-4 text-2xl'
            }
          >
            Paywalled Content
          </h1>
          {link && <ItemHead link={link} />}
        </header>
        <section aria-label="Offer" className="paywall-stub">
          {state !== 'unknown' && (
            <p aria-live="polite" className="text-[0.9375rem] leading-snug text-muted">
              {LEADS[state]}
            </p>
          )}
          <Offer ctx={ctx} error={errorOf(link, ctx)} link={link} state={state} />
          <p className={unpaid && 'mt-3 text-sm'} role="status">
            {unpaid}
          </p>
          {state === 'locked' && <TrustLine payments={ctx.config.payments} />}
          {link?.files && <FileList files={link.files} linkId={link.id} />}
        </section>
        {link?.description && <p className="paywall-words">{link.description}</p>}
      </article>
      {link?.mine && <OwnerTools link={link} onChanged={show} origin={ctx.config.origin} />}
      {link && !link.mine && !ctx.preview && <ViewPixel id={link.id} />}
    </div>
  );
}

const LOCKED = 'This content is locked behind a paywall. Click the button below to unlock access.';

const LEADS: Record<Exclude<PaywallState, 'unknown'>, string> = {
  locked: LOCKED,
  unlocked: 'This content is unlocked for you.',
  suspended: SENTENCES.accessOnHold,
  processing: SENTENCES.paymentProcessing,
  paused: 'The creator has paused this link. It cannot be bought at the moment.',
  unread: 'This link cannot be shown at the moment. Please try again.',
};

/** What became of the viewer's own last try to pay, if there was one. */
function describeUnpaid(link: PaywallLink | null, { openCheckout }: PageContext): string {
  if (link?.checkout) return 'Your payment did not go through. Nothing was charged.';
  return openCheckout ? 'You have not finished the checkout. Nothing has been charged.' : '';
}

const EXCERPT_LENGTH = 160;

function describe(link: PaywallLink, { config }: PageContext): string {
  if (link.description) return `${link.free ? 'Free' : formatPrice(link.price)}: ${excerpt(link)}`;
  if (link.free) return 'Free to open, no account needed.';
  const checkout = describeCheckout(config.payments);
  return `Unlock for ${formatPrice(link.price)}. ${checkout}, no account needed.`;
}

function excerpt({ description }: PaywallLink): string {
  const words = [...(description ?? '').replace(/\s+/g, ' ')];
  return words.length > EXCERPT_LENGTH
    ? `${words.slice(0, EXCERPT_LENGTH).join('')}…`
    : words.join('');
}

function errorOf(link: PaywallLink | null, { error, errorHint, failed }: PageContext) {
  if (!link && !failed) return { message: TEXTS.linkNotFound };
  return error === undefined ? undefined : { message: error, hint: errorHint };
}

function stateOf(link: PaywallLink | null, { error, failed }: PageContext): PaywallState {
  if (!link && !failed) return 'unknown';
  // Who has pressed the button may press it again: that may be the try that finds the link.
  if (!link) return error === undefined ? 'unread' : 'locked';
  if (link.unlocked) return 'unlocked';
  if (link.suspended) return 'suspended';
  if (link.checkout?.state === 'processing') return 'processing';
  return link.paused ? 'paused' : 'locked';
}
