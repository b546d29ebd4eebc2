import { TEXTS } from '../../contract/texts.ts';
import { FileList } from '../components/file-list.tsx';
import { ItemSummary } from '../components/item-summary.tsx';
import { Lock } from '../components/lock.tsx';
import { OwnerNote } from '../components/owner-note.tsx';
import { TrustLine } from '../components/trust-line.tsx';
import { UnlockFailure } from '../components/unlock-failure.tsx';
import { UnlockForm } from '../components/unlock-form.tsx';
import { ViewPixel } from '../components/view-pixel.tsx';
import { describeCheckout } from '../data/describe-checkout.ts';
import { formatPrice } from '../data/format.ts';
import type { ResultOf } from '../data/graphql.ts';
import { type PaywallLink, paywallQuery, usePaywallLink } from '../data/paywall-link.ts';
import { SOMETHING_WRONG } from '../data/request-error.ts';
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
    robots: link && !link.noindex ? undefined : 'noindex',
    canonical: link ? `${ctx.config.origin}/p/${link.id}` : undefined,
  }),
  Component: Paywall,
});

function Paywall({ data, ctx }: PageProps<ResultOf<typeof paywallQuery>>) {
  const link = usePaywallLink(data.getPaywallLink, ctx);
  const state = stateOf(link, ctx);
  const error = errorOf(link, ctx);
  return (
    <div className="mx-auto w-full max-w-md px-5 py-10 sm:py-16">
      {link?.mine && <OwnerNote id={link.id} origin={ctx.config.origin} />}
      <article className="card overflow-hidden shadow-card">
        <div className="px-6 pt-9 pb-7 text-center sm:px-9">
          <Lock className="mx-auto size-16" open={state === 'unlocked'} />
          <h1 className="mt-5 text-2xl">Paywalled Content</h1>
          <p aria-live="polite" className="mt-2 text-muted">
            {LEADS[state]}
          </p>
        </div>
        {link && <ItemSummary link={link} />}
        {state === 'paused' || state === 'suspended' ? (
          error && (
            <div className="px-6 py-7 sm:px-9">
              <UnlockFailure {...error} />
            </div>
          )
        ) : (
          <div className="px-6 py-7 sm:px-9">
            <UnlockForm config={ctx.config} error={error} id={ctx.params.id ?? ''} state={state} />
            {state === 'locked' && <TrustLine payments={ctx.config.payments} />}
            {link?.files && <FileList files={link.files} linkId={link.id} />}
          </div>
        )}
      </article>
      {link && !link.mine && <ViewPixel id={link.id} />}
    </div>
  );
}

const LOCKED = 'This content is locked behind a paywall. Click the button below to unlock access.';

const LEADS = {
  locked: LOCKED,
  unknown: LOCKED,
  unlocked: 'This content is unlocked for you. Click the button below to open it.',
  suspended: 'Your access rests while your bank decides.',
  paused: 'The creator has paused this link. It cannot be bought at the moment.',
};

function describe({ free, price }: PaywallLink, { config }: PageContext): string {
  if (free) return 'Free to open, no account needed.';
  return `Unlock for ${formatPrice(price)}. ${describeCheckout(config.payments)}, no account needed.`;
}

function errorOf(link: PaywallLink | null, { error, errorHint, failed }: PageContext) {
  if (!link && !failed) return { message: TEXTS.linkNotFound };
  if (error !== undefined) return { message: error, hint: errorHint };
  return failed && { message: TEXTS.unlockFailed, hint: SOMETHING_WRONG };
}

function stateOf(link: PaywallLink | null, { failed }: PageContext): keyof typeof LEADS {
  // A try to unlock what could not be read may be the one that finds it.
  if (!link) return failed ? 'locked' : 'unknown';
  if (link.unlocked) return 'unlocked';
  if (link.suspended) return 'suspended';
  return link.paused ? 'paused' : 'locked';
}
