import { type ComponentType, useEffect, useState } from 'react';
import { isolate } from '../../../contract/isolate.ts';
import { priceOf } from '../../../contract/links.ts';
import { SENTENCES, TEXTS } from '../../../contract/texts.ts';
import { PartList } from '../../catalog/links/part-list.tsx';
import { type Sentence, say, tell } from '../../languages/say.ts';
import { contentAddress, paywallAddress } from '../../lib/addresses.ts';
import { formatPrice, nameLink } from '../../lib/format.ts';
import { graphql, type ResultOf } from '../../lib/graphql.ts';
import { definePage, type PageContext, type PageHead, type PageProps } from '../../page.ts';
import { Still } from '../../shell/raw.tsx';
import { Alert } from '../../ui/alert.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DrawnCover } from '../../ui/drawn-cover.tsx';
import { FileIcon, GlobeIcon } from '../../ui/icons.tsx';
import { LinkKey, STRAY_KEY } from '../../ui/link-key.tsx';
import { SellerName } from '../../ui/seller-name.tsx';
import { Lock } from '../../ui/spinner.tsx';
import { BelowOffer, describeCheckout } from './below-offer.tsx';
import { Choices } from './choices.tsx';
import { FileList } from './file-list.tsx';
import { LicenseKeys } from './license-keys.tsx';
import { Offer, type PaywallState } from './offer.tsx';
import type { OwnerPanelProps } from './owner-panel.tsx';
import { linkFields, type PaywallLink, paywallVariables, usePaywallLink } from './paywall-link.ts';

/** What the browser asks for again, and what is drawn once. */
const pageQuery = /* @__PURE__ */ graphql(
  `query Paywall($id: ID!, $code: String) {
    getPaywallLink(id: $id) {
      ...PaywallFields sellerPicture { url } unlocked deletedAt offersCart parts { id title price least free unlocked summary: summaryFacts licenseKeys { key } } choices { id choice price least free unlocked paused hold: holdFact }
      newer { number files { name size mediaType } }
    }
    listWaysToPay
  }`,
  [linkFields],
);
export type Answer = ResultOf<typeof pageQuery>;

export const page = definePage({
  hydrate: 'late',
  head: ({ getPaywallLink: link }, ctx) =>
    import.meta.env.SSR ? describeHead(link, ctx) : { title: '' },
  Component: Paywall,
  // No browser asks for these again.
  ...(import.meta.env.SSR && {
    reads: ['code', 'gift', 'preview', 'pressed'],
    query: pageQuery,
    variables: paywallVariables,
    fallback: { getPaywallLink: null, listWaysToPay: [] },
    status: (data: Answer, ctx: PageContext) =>
      ctx.failed?.getPaywallLink ?? (data.getPaywallLink ? 200 : 404),
  }),
});

function describeHead(link: PaywallLink | null, ctx: PageContext): PageHead {
  return {
    title: isolate(link?.title ?? say('Paywalled Content')),
    description: link ? describe(link, ctx) : undefined,
    robots: link && !link.noindex && !link.unlisted ? undefined : 'noindex',
    canonical: link ? `${ctx.config.origin}/p/${link.id}` : undefined,
  };
}

function Paywall({ data, ctx }: PageProps<Answer>) {
  const [link, show] = usePaywallLink(data.getPaywallLink, ctx);
  const state = stateOf(link, ctx);
  const preview = state !== 'unlocked' && link?.previewFile;
  const [pressed, setPressed] = useState(false);
  const unpaid = state === 'locked' && !pressed ? describeUnpaid(link, ctx) : '';
  return (
    <div className="mx-auto w-full max-w-md px-4 py-4 sm:py-14 min-[52rem]:max-w-4xl">
      <Still>
        {import.meta.env.SSR && link && ctx.preview && <PreviewNote id={link.id} />}
        {import.meta.env.SSR && link && !link.mine && !ctx.preview && (
          <ViewPixel from={ctx.from} id={link.id} />
        )}
      </Still>
      {link?.mine && <OwnerBar id={link.id} origin={ctx.config.origin} />}
      {link?.fault && (
        <div className="mb-4">
          <Alert>{tell(link.fault)}</Alert>
        </div>
      )}
      <article className="paywall-ticket">
        <div className="paywall-item">
          <ItemPicture held={state === 'unlocked'} link={link} />
          <header className="px-5 pb-4 sm:px-9 sm:pb-6">
            <div className="paywall-seal">
              <Lock className="size-8" open={state === 'unlocked'} />
            </div>
            <h1
              className={
                link
                  ? 'mt-1.5 text-[0.9375rem] text-muted tracking-normal sm:mt-4'
                  : 'mt-4 text-2xl'
              }
            >
              {say('Paywalled Content')}
            </h1>
            {link && <ItemHead ctx={ctx} drawn={data.getPaywallLink} link={link} />}
          </header>
          {link?.description && <p className="paywall-words">{link.description}</p>}
          {preview && (
            <Still as="figure" className="paywall-preview">
              {import.meta.env.SSR && <Preview {...preview} />}
            </Still>
          )}
          {link && (
            <div className="paywall-inside">
              <LicenseKeys {...link} />
              <Inside drawn={data.getPaywallLink} link={link} state={state} />
            </div>
          )}
        </div>
        <section
          aria-label={say('Offer')}
          className="paywall-stub"
          onSubmit={() => setPressed(true)}
        >
          <p aria-live="polite" className="text-[0.9375rem] leading-snug text-muted">
            {state === 'pending' && link?.hold ? tell(link.hold) : say(LEADS[state] ?? LOCKED)}
          </p>
          <Offer ctx={ctx} error={errorOf(link, ctx)} link={link} state={state} />
          <p className={unpaid && 'mt-3 text-sm'} role="status">
            {unpaid}
          </p>
          <Still key={state}>
            {import.meta.env.SSR && (
              <BelowOffer
                ctx={ctx}
                drawn={data.getPaywallLink}
                link={link}
                state={state}
                ways={data.listWaysToPay}
              />
            )}
          </Still>
          {link?.receipt && (
            <a
              className="text-link inline-flex min-h-11 items-center text-sm"
              href={`/p/${link.id}/receipt`}
            >
              {say('Signed receipt')}
            </a>
          )}
        </section>
      </article>
      {link?.mine && <OwnerTools link={link} onChanged={show} origin={ctx.config.origin} />}
    </div>
  );
}

const LOCKED = 'This content is locked behind a paywall. Click the button below to unlock access.';

/** What is said where there is nothing to unlock. */
const LEADS: Partial<Record<PaywallState, Sentence>> = {
  unlocked: 'This content is unlocked for you.',
  suspended: SENTENCES.accessOnHold,
  processing: SENTENCES.paymentProcessing,
  paused: 'The seller has paused this link. It cannot be bought at the moment.',
  unread: 'This link cannot be shown at the moment. Please try again.',
};

/** The outcome of the viewer's own last attempt to pay, if any. */
function describeUnpaid(link: PaywallLink | null, { openCheckout }: PageContext): string {
  if (link?.checkout) return say('Your payment did not go through. Nothing was charged.');
  return openCheckout ? say('You did not finish the checkout. Nothing was charged.') : '';
}

const EXCERPT_LENGTH = 160;

function describe(link: PaywallLink, { config }: PageContext): string {
  if (link.description) return `${tell(priceOf(link))}: ${isolate(excerpt(link))}`;
  if (link.least === 0) return say('Name your price, or pay nothing. No account needed.');
  if (link.free) return say('Free to open, no account needed.');
  const checkout = describeCheckout(config.payments);
  const price =
    link.least === null
      ? formatPrice(link.price)
      : say('{price} or more', { price: formatPrice(link.least) });
  return say('Unlock for {price}. {checkout}, no account needed.', { price, checkout });
}

function excerpt({ description }: PaywallLink): string {
  const words = [...(description ?? '').replace(/\s+/g, ' ')];
  return words.length > EXCERPT_LENGTH
    ? `${words.slice(0, EXCERPT_LENGTH).join('')}…`
    : words.join('');
}

function errorOf(link: PaywallLink | null, { error, errorHint, failed }: PageContext) {
  if (!link && !failed) return { message: say(TEXTS.linkNotFound) };
  return error === undefined ? undefined : { message: error, hint: errorHint };
}

function stateOf(link: PaywallLink | null, { error, failed }: PageContext): PaywallState {
  if (!link && !failed) return 'unknown';
  // After pressing the button, visitors may press it again: that attempt may find the link.
  if (!link) return error === undefined ? 'unread' : 'locked';
  // What was bought is not what is being checked.
  if (link.bought?.length) return 'unlocked';
  if (link.suspended) return 'suspended';
  if (link.checkout?.state === 'processing') return 'processing';
  if (link.paused && !link.mine) return 'paused';
  if (link.hold) return 'pending';
  if (link.mine) return link.type === 'bundle' ? 'unlocked' : 'free';
  // Whoever may pay nothing is asked all the same.
  return link.free && link.least !== 0 ? 'free' : 'locked';
}

function ItemHead({
  ctx,
  drawn,
  link,
}: Pick<InsideProps, 'drawn' | 'link'> & { ctx: PageContext }) {
  const name = nameLink(link);
  return (
    <>
      <h2
        className={`mt-1 ${name.length > 60 ? 'text-xl sm:text-2xl' : 'text-2xl sm:text-3xl'}`}
        dir="auto"
      >
        {name}
      </h2>
      <Still>
        {import.meta.env.SSR && drawn && (
          <>
            <SellerName {...drawn} className="mt-2 block text-sm text-muted" />
            {drawn.choices && <Choices choices={drawn.choices} ctx={ctx} />}
          </>
        )}
      </Still>
    </>
  );
}

interface InsideProps {
  link: PaywallLink;
  /** As it was when the page was drawn. */
  drawn: Answer['getPaywallLink'];
  state: PaywallState;
}

/** What a buyer gets: its files by name once they are theirs, what there is to know of them before. */
function Inside({ link, drawn, state }: InsideProps) {
  if (link.type === 'bundle') {
    return (
      <Still>
        {import.meta.env.SSR && drawn?.parts && <PartList link={drawn} parts={drawn.parts} />}
      </Still>
    );
  }
  const files = state !== 'pending' && state !== 'locked' && link.files;
  const isDelivered = files && link.type === 'file';
  return (
    <>
      <Still>
        {import.meta.env.SSR && drawn?.newer && <NewerVersion link={drawn} newer={drawn.newer} />}
      </Still>
      {link.bought?.length && link.version > 1 ? (
        <h3 className="text-base">
          {say('You bought version {numbers}', {
            numbers: link.bought.join(say(' and ')),
          })}
        </h3>
      ) : null}
      {isDelivered ? <FileList files={files} linkId={link.id} /> : <Summary {...link} />}
    </>
  );
}

/** "3 files, 12 MB", and what each kind of them amounts to. */
function Summary({ type, summary }: Pick<PaywallLink, 'type' | 'summary'>) {
  const KindIcon = type === 'link' ? GlobeIcon : FileIcon;
  return (
    <>
      <h3 className="text-base">{say('What you get')}</h3>
      <ul className="mt-1">
        {summary.map(tell).map((line) => (
          <li className="flex items-center gap-2.5 py-1" key={line}>
            <KindIcon className="size-5 shrink-0 text-muted" />
            {line}
          </li>
        ))}
      </ul>
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
        <>
          <Still className="link-cover paywall-drawing">
            {import.meta.env.SSR && link && <DrawnCover id={link.id} />}
          </Still>
          <LinkKey className="relative w-40 sm:w-52" held={held} id={link?.id ?? STRAY_KEY} />
        </>
      )}
    </div>
  );
}

interface NewerVersionProps {
  link: PaywallLink;
  newer: NonNullable<NonNullable<Answer['getPaywallLink']>['newer']>;
}

/** For buyers of an earlier version: it is theirs as well. */
function NewerVersion({ link: { id, type }, newer: { number, files } }: NewerVersionProps) {
  return (
    <>
      <h3 className="text-base">{say('Version {number} is available', { number })}</h3>
      <p className="text-sm text-muted">{say('It is yours too, at no charge.')}</p>
      {type === 'link' ? (
        <a
          className="text-link inline-flex min-h-11 items-center"
          href={contentAddress(id, 0, number)}
        >
          {say('Open version {number}', { number })}
        </a>
      ) : (
        <FileList files={files} linkId={id} version={number} />
      )}
    </>
  );
}

/**
 * Loaded when someone sees the page, also without JavaScript: it is how the server counts views.
 */
function ViewPixel({ id, from }: { id: string; from: string | undefined }) {
  return (
    <img
      alt=""
      className="absolute opacity-0"
      fetchPriority="low"
      height="1"
      src={`/p/${id}/view.gif${from ? `?from=${encodeURIComponent(from)}` : ''}`}
      width="1"
    />
  );
}

/** The part of the content that its creator shows before it is bought. */
function Preview({ url, width, height }: NonNullable<PaywallLink['previewFile']>) {
  return (
    <>
      <figcaption>{say('Preview')}</figcaption>
      {width && height ? (
        <img
          alt={say('Part of the content')}
          height={height}
          loading="lazy"
          src={url}
          width={width}
        />
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: what is said in it is not known.
        <audio controls preload="none" src={url} />
      )}
    </>
  );
}

/** Above the page that its owner previews as a buyer. */
function PreviewNote({ id }: { id: string }) {
  return (
    <aside
      aria-label={say('Preview')}
      className="card mb-4 flex flex-wrap items-center justify-between gap-x-4 px-5 py-1 text-sm"
    >
      <p>{say('This is what a buyer sees.')}</p>
      <a className="text-link inline-flex min-h-11 items-center font-medium" href={`/p/${id}`}>
        {say('Back to your link')}
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
      <Still className="me-auto font-medium">
        {import.meta.env.SSR && <p id="your-link">{say('Your link')}</p>}
      </Still>
      <CopyButton of={say('this link')} text={paywallAddress(origin, id)} />
      <Still className="contents">{import.meta.env.SSR && <OwnerLinks id={id} />}</Still>
    </aside>
  );
}

function OwnerLinks({ id }: { id: string }) {
  return (
    <>
      <a
        className="text-link inline-flex min-h-11 min-w-11 items-center justify-end"
        href={`/dashboard?edit=${id}`}
      >
        {say('Edit')}
      </a>
      <a className="text-link inline-flex min-h-11 items-center" href={`/p/${id}?preview=buyer`}>
        {say('Preview as a buyer')}
      </a>
    </>
  );
}

/** Loads the owner's panel for the owner only: buyers never load it. */
function OwnerTools(props: OwnerPanelProps) {
  const [Panel, setPanel] = useState<ComponentType<OwnerPanelProps> | null>(null);
  useEffect(() => {
    import('./owner-panel.tsx').then(({ OwnerPanel }) => setPanel(() => OwnerPanel), console.warn);
  }, []);
  // Nothing in view moves when it comes.
  return Panel ? <Panel {...props} /> : <div className="min-h-screen" />;
}
