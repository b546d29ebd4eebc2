import { type ComponentType, useEffect, useState } from 'react';
import { nameLink, sayPrice } from '../../contract/links.ts';
import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { SENTENCES, TEXTS } from '../../contract/texts.ts';
import { contentAddress, paywallAddress } from '../lib/addresses.ts';
import { formatPrice } from '../lib/format.ts';
import type { ResultOf } from '../lib/graphql.ts';
import { definePage, type PageContext, type PageHead, type PageProps } from '../page.ts';
import { Alert } from '../ui/alert.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { CheckIcon, FileIcon, GlobeIcon } from '../ui/icons.tsx';
import { LinkKey, SellerName, STRAY_KEY } from '../ui/link-key.tsx';
import { Lock } from '../ui/spinner.tsx';
import { FileList } from './file-list.tsx';
import { Offer, type PaywallState } from './offer.tsx';
import type { OwnerPanelProps } from './owner-panel.tsx';
import {
  type PaywallLink,
  paywallQuery,
  paywallVariables,
  usePaywallLink,
} from './paywall-link.ts';
import { Still } from './unlock-form.tsx';

export const page = definePage({
  query: paywallQuery,
  variables: paywallVariables,
  fallback: { getPaywallLink: null },
  status: (data, ctx) => ctx.failed?.getPaywallLink ?? (data.getPaywallLink ? 200 : 404),
  hydrate: 'late',
  // No browser writes it again.
  head: ({ getPaywallLink: link }, ctx) =>
    import.meta.env.SSR ? describeHead(link, ctx) : { title: '' },
  Component: Paywall,
});

function describeHead(link: PaywallLink | null, ctx: PageContext): PageHead {
  return {
    title: `${link?.title ?? 'Paywalled Content'} · Padlink`,
    description: link ? describe(link, ctx) : undefined,
    robots: link && !link.noindex && !link.unlisted ? undefined : 'noindex',
    canonical: link ? `${ctx.config.origin}/p/${link.id}` : undefined,
  };
}

function Paywall({ data, ctx }: PageProps<ResultOf<typeof paywallQuery>>) {
  const [link, show] = usePaywallLink(data.getPaywallLink, ctx);
  const state = stateOf(link, ctx);
  const preview = state !== 'unlocked' && link?.previewFile;
  const unpaid = state === 'locked' ? describeUnpaid(link, ctx) : '';
  return (
    <div className="mx-auto w-full max-w-md px-4 py-4 sm:py-14 min-[52rem]:max-w-4xl">
      {link && ctx.preview && <Still>{import.meta.env.SSR && <PreviewNote id={link.id} />}</Still>}
      {link?.mine && <OwnerBar id={link.id} origin={ctx.config.origin} />}
      {link?.fault && (
        <div className="mb-4">
          <Alert>{link.fault}</Alert>
        </div>
      )}
      <article className="paywall-ticket card shadow-card">
        <ItemPicture held={link?.unlocked === true && state !== 'locked'} link={link} />
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
              {state === 'pending' ? link?.hold : LEADS[state]}
            </p>
          )}
          <Offer ctx={ctx} error={errorOf(link, ctx)} link={link} state={state} />
          <p className={unpaid && 'mt-3 text-sm'} role="status">
            {unpaid}
          </p>
          {state === 'locked' && (
            <Still>{import.meta.env.SSR && <TrustLine payments={ctx.config.payments} />}</Still>
          )}
          {link?.newer && <NewerVersion id={link.id} newer={link.newer} type={link.type} />}
          {link?.bought?.length && link.version > 1 ? (
            <h3 className="mt-6 text-base">{`You bought version ${link.bought.join(' and ')}`}</h3>
          ) : null}
          {link?.files && state !== 'pending' && state !== 'locked' && (
            <FileList files={link.files} linkId={link.id} />
          )}
          {link?.bought?.length ? (
            <a
              className="text-link inline-flex min-h-11 items-center text-sm"
              href={`/p/${link.id}/receipt`}
            >
              Signed receipt
            </a>
          ) : null}
        </section>
        {preview && (
          <figure className="paywall-preview">
            <figcaption>Preview</figcaption>
            {preview.width && preview.height ? (
              <img
                alt="Part of the content"
                height={preview.height}
                loading="lazy"
                src={preview.url}
                width={preview.width}
              />
            ) : (
              // biome-ignore lint/a11y/useMediaCaption: what is said in it is not known.
              <audio controls preload="none" src={preview.url} />
            )}
          </figure>
        )}
        {link?.description && <p className="paywall-words">{link.description}</p>}
      </article>
      {link?.mine && <OwnerTools link={link} onChanged={show} origin={ctx.config.origin} />}
      {link && !link.mine && !ctx.preview && (
        <Still>{import.meta.env.SSR && <ViewPixel id={link.id} />}</Still>
      )}
    </div>
  );
}

const LOCKED = 'This content is locked behind a paywall. Click the button below to unlock access.';

const LEADS: Record<Exclude<PaywallState, 'unknown' | 'pending'>, string> = {
  locked: LOCKED,
  unlocked: 'This content is unlocked for you.',
  suspended: SENTENCES.accessOnHold,
  processing: SENTENCES.paymentProcessing,
  paused: 'The creator has paused this link. It cannot be bought at the moment.',
  unread: 'This link cannot be shown at the moment. Please try again.',
};

/** The outcome of the viewer's own last attempt to pay, if any. */
function describeUnpaid(link: PaywallLink | null, { openCheckout }: PageContext): string {
  if (link?.checkout) return 'Your payment did not go through. Nothing was charged.';
  return openCheckout ? 'You did not finish the checkout. Nothing was charged.' : '';
}

const EXCERPT_LENGTH = 160;

function describe(link: PaywallLink, { config }: PageContext): string {
  if (link.description) return `${sayPrice(link)}: ${excerpt(link)}`;
  if (link.least === 0) return 'Name your price, or pay nothing. No account needed.';
  if (link.free) return 'Free to open, no account needed.';
  const checkout = describeCheckout(config.payments);
  const price =
    link.least === null ? formatPrice(link.price) : `${formatPrice(link.least)} or more`;
  return `Unlock for ${price}. ${checkout}, no account needed.`;
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
  // After pressing the button, visitors may press it again: that attempt may find the link.
  if (!link) return error === undefined ? 'unread' : 'locked';
  // What was bought is not what is being checked.
  // Whoever may pay nothing is asked all the same, until they have paid.
  const isAsked = link.least === 0 && !link.mine && !link.bought?.length && !link.paused;
  if (link.unlocked && !isAsked)
    return link.hold && (link.mine || link.free) ? 'pending' : 'unlocked';
  if (link.suspended) return 'suspended';
  if (link.checkout?.state === 'processing') return 'processing';
  if (link.paused) return 'paused';
  return link.hold ? 'pending' : 'locked';
}

/** What is for sale, and who sells it. */
function ItemHead({ link }: { link: PaywallLink }) {
  const [summary, ...kinds] = link.summary;
  const KindIcon = link.type === 'link' ? GlobeIcon : FileIcon;
  const name = nameLink(link);
  return (
    <>
      <h2 className={`mt-1 ${name.length > 60 ? 'text-xl sm:text-2xl' : 'text-2xl sm:text-3xl'}`}>
        {name}
      </h2>
      <p className="mt-2 flex flex-wrap items-center gap-x-4 text-sm text-muted">
        <SellerName {...link} />
        <span className="flex items-center gap-1.5">
          <KindIcon className="size-4.5 shrink-0" />
          {summary}
        </span>
      </p>
      {kinds[0] && <p className="text-sm text-muted">{kinds.join(', ')}</p>}
    </>
  );
}

/**
 * The cover that the creator chose, or the link's own key; a key that fits nothing where there is no
 * link. Words beside it carry the meaning.
 */
function ItemPicture({ link, held }: { link: PaywallLink | null; held: boolean }) {
  return (
    <div className="paywall-picture">
      {link?.cover ? (
        <img
          alt=""
          data-wide={link.cover.width > link.cover.height}
          fetchPriority="high"
          height={link.cover.height}
          src={link.cover.url}
          width={link.cover.width}
        />
      ) : (
        <LinkKey className="w-40 sm:w-52" held={held} id={link?.id ?? STRAY_KEY} />
      )}
    </div>
  );
}

interface NewerVersionProps extends Pick<PaywallLink, 'id' | 'type'> {
  newer: NonNullable<PaywallLink['newer']>;
}

/** For buyers of an earlier version: it is theirs as well. */
function NewerVersion({ id, type, newer: { number, files } }: NewerVersionProps) {
  return (
    <>
      <h3 className="mt-6 text-base">{`Version ${number} is available`}</h3>
      <p className="text-sm text-muted">It is yours too, at no charge.</p>
      {type === 'link' ? (
        <a
          className="text-link inline-flex min-h-11 items-center"
          href={contentAddress(id, 0, number)}
        >
          {`Open version ${number}`}
        </a>
      ) : (
        <FileList files={files} linkId={id} version={number} />
      )}
    </>
  );
}

/** What a buyer wants to know before paying. */
function TrustLine({ payments }: Pick<RuntimeConfig, 'payments'>) {
  const promises = [describeCheckout(payments), 'No account needed', 'All sales final'];
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

/**
 * Loaded when someone sees the page, also without JavaScript: it is how the server counts views.
 */
function ViewPixel({ id }: { id: string }) {
  return (
    <img
      alt=""
      className="absolute opacity-0"
      fetchPriority="low"
      height="1"
      src={`/p/${id}/view.gif`}
      width="1"
    />
  );
}

/** Above the page that its owner previews as a buyer. */
function PreviewNote({ id }: { id: string }) {
  return (
    <aside
      aria-label="Preview"
      className="card mb-4 flex flex-wrap items-center justify-between gap-x-4 px-5 py-1 text-sm"
    >
      <p>This is what a buyer sees.</p>
      <a className="text-link inline-flex min-h-11 items-center font-medium" href={`/p/${id}`}>
        Back to your link
      </a>
    </aside>
  );
}

/** Shown to the creator, who always has access. */
function OwnerBar({ id, origin }: { id: string; origin: string }) {
  return (
    <aside
      aria-labelledby="your-link"
      className="card mb-4 flex flex-wrap items-center gap-x-5 gap-y-1 px-5 py-2"
    >
      <p className="me-auto font-medium" id="your-link">
        Your link
      </p>
      <CopyButton of="this link" text={paywallAddress(origin, id)} />
      <a
        className="text-link inline-flex min-h-11 min-w-11 items-center justify-end"
        href={`/dashboard?edit=${id}`}
      >
        Edit
      </a>
      <a className="text-link inline-flex min-h-11 items-center" href={`/p/${id}?preview=buyer`}>
        Preview as a buyer
      </a>
    </aside>
  );
}

/** Loads the owner's panel for the owner only: buyers never load it. */
function OwnerTools(props: OwnerPanelProps) {
  const [Panel, setPanel] = useState<ComponentType<OwnerPanelProps> | null>(null);
  useEffect(() => {
    import('./owner-panel.tsx').then(
      ({ OwnerPanel }) => setPanel(() => OwnerPanel),
      (error: unknown) => console.warn('What owners do could not be loaded', error),
    );
  }, []);
  // Nothing in view moves when it comes.
  return Panel ? <Panel {...props} /> : <div className="min-h-screen" />;
}

/** Who takes the payment; nobody in the sandbox, which is not Stripe. */
function describeCheckout(payments: RuntimeConfig['payments']): string {
  return payments === 'sandbox'
    ? 'Test checkout: no real money moves'
    : 'Secure checkout by Stripe';
}
