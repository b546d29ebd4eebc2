import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import { escapeHtml } from '../contract/escape-html.ts';
import { isTranslated } from '../contract/languages.ts';
import type { Assets, RenderedDocument, WebBundle } from '../contract/web-bundle.ts';
import accentsUrl from './assets/fonts/instrument-sans-accents.woff2?url';
import { toldOn } from './languages/german.ts';
import { fixTexts, inLanguage, SENTENCES } from './languages/in-language.ts';
import { tell } from './languages/say.ts';
import { mails } from './notices/mails/mails.ts';
import { pushTexts } from './notices/mails/push-texts.ts';
import type { Page, PageContext, PageName } from './page.ts';
import { pages } from './pages.ts';
import {
  type ShareInput,
  shareLanding,
  sharePaywall,
  shareSeller,
} from './selling/sharing/share-meta.ts';
import { SERVICE_WORKER } from './service-worker.ts';
import { Document } from './shell/document.tsx';
import { behaviorOf, EVERYWHERE, SPECULATION_RULES } from './shell/document-scripts.ts';
import { CartLink, describeFrame, Frame, PurchasesLink, ReportLink } from './shell/frame.tsx';
import { toScriptJson } from './shell/raw.tsx';
import { writeHead, writeTag } from './shell/write-head.ts';

// biome-ignore lint/suspicious/noExplicitAny: each page has its own data.
const SHARES: Partial<Record<PageName, (input: ShareInput<any>) => string>> = {
  landing: shareLanding,
  paywall: sharePaywall,
  seller: shareSeller,
};

export const bundle: WebBundle = {
  pages,
  mails,
  pushTexts,
  renderPage: (name, ctx, data, assets) =>
    inLanguage(ctx.language, () => renderPage(name, ctx, data, assets)),
  tell: (language, said) => inLanguage(language, () => tell(said)),
  SENTENCES,
  inlineScripts: (name) =>
    [EVERYWHERE, behaviorScript(name), SPECULATION_RULES].filter((text) => text !== ''),
  SERVICE_WORKER,
};

/** Without the font for these, a word would be set in two fonts on a first visit. */
const ACCENTED = /[À-ÖØ-öø-ÿ]/;
const ACCENTS_PRELOAD = writeTag('link', {
  as: 'font',
  crossorigin: 'anonymous',
  href: accentsUrl,
  rel: 'preload',
  type: 'font/woff2',
});

function renderPage(
  name: PageName,
  ctx: PageContext,
  data: unknown,
  assets: Assets,
): RenderedDocument {
  const page = pages[name] as Page<unknown>;
  const head = page.head(data, ctx);
  const share = SHARES[name]?.({ ctx, data, head }) ?? '';
  const html = renderToString(<page.Component ctx={ctx} data={data} />);
  return {
    fixed: fixedParts(name, ctx, assets),
    own: [
      writeHead(head, ctx, share) + (ACCENTED.test(html) ? ACCENTS_PRELOAD : ''),
      renderBesideMenu(ctx),
      html,
      ...(name === 'paywall' ? [renderReport(data)] : []),
      ...(isTranslated(name) ? [escapeHtml(addressOf(ctx))] : []),
      page.hydrate === 'never' ? '' : ownDescription(ctx, data),
    ],
  };
}

const behaviorScript = (name: PageName) => behaviorOf(pages[name].hydrate, name === 'paywall');

/** Where the switch of languages leads back to: who came from a campaign still does afterwards. */
function addressOf({ path, query, from }: PageContext): string {
  const search = new URLSearchParams({ ...query, ...(from && { from }) }).toString();
  return search ? `${path}?${search}` : path;
}

function renderBesideMenu({ cart, buyer, path }: PageContext): string {
  if (cart) return renderToStaticMarkup(<CartLink count={cart} isCurrent={path === '/cart'} />);
  if (!buyer) return '';
  return renderToStaticMarkup(<PurchasesLink isCurrent={path === '/purchases'} />);
}

function renderReport(data: unknown): string {
  const { getPaywallLink: link } = data as { getPaywallLink: { id: string; mine: boolean } | null };
  return link && !link.mine ? renderToStaticMarkup(<ReportLink id={link.id} />) : '';
}

/** What the browser hydrates from, as JSON, up to where it is the same for every visit. */
function fixedDescription(name: PageName, { config, viewer }: PageContext, assets: Assets): string {
  const { hydrate } = pages[name];
  const { module, sentences, sentencesToAccounts } = assets;
  const isSignedIn = viewer !== null;
  const speech = fixTexts([
    ...sentences,
    ...(isSignedIn ? sentencesToAccounts : []),
    ...toldOn(name, isSignedIn),
  ]);
  return `${toScriptJson({ module, hydrate, ...(speech && { speech }), ctx: { config } }).slice(0, -'}}'.length)},`;
}

/** The rest of it. */
function ownDescription({ config: _, ...visit }: PageContext, data: unknown): string {
  return `${toScriptJson(visit).slice('{'.length)},"data":${toScriptJson(data)}}`;
}

/** By the assets: as long as they are the same, so are the build and the configuration. */
const known = new WeakMap<Assets, Map<string, string[]>>();
const PLACE = 'here-goes-what-is-its-own';

/** Rendered once for each way in which the documents of a page can be framed. */
function fixedParts(name: PageName, ctx: PageContext, assets: Assets): string[] {
  const ofAssets = known.get(assets) ?? new Map<string, string[]>();
  known.set(assets, ofAssets);
  const key = `${name} ${describeFrame(ctx)}`;
  const parts = ofAssets.get(key) ?? renderFixedParts(name, ctx, assets);
  ofAssets.set(key, parts);
  return parts;
}

function renderFixedParts(name: PageName, ctx: PageContext, assets: Assets): string[] {
  const { hydrate } = pages[name];
  const json = fixedDescription(name, ctx, assets) + PLACE;
  const document = (
    <Document
      assets={assets}
      head={<meta name={PLACE} />}
      hydration={
        hydrate === 'never'
          ? undefined
          : { json, late: hydrate === 'late', behavior: behaviorScript(name) }
      }
    >
      <Frame
        back={isTranslated(name) ? PLACE : null}
        beside={PLACE}
        ctx={ctx}
        page={PLACE}
        report={name === 'paywall' ? PLACE : null}
      />
    </Document>
  );
  const html = `<!doctype html>${renderToStaticMarkup(document)}`;
  const parts = html.replace(`<meta name="${PLACE}"/>`, PLACE).split(PLACE);
  // A page without behavior ends with nothing of its own.
  return hydrate === 'never' ? [...parts, ''] : parts;
}
