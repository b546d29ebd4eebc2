import type { FC } from 'react';
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import type { Assets, RenderedDocument, WebBundle } from '../contract/web-bundle.ts';
import { mails } from './mails/mails.ts';
import type { Page, PageContext, PageName } from './page.ts';
import { pages } from './pages.ts';
import { SERVICE_WORKER } from './service-worker.ts';
import type { ShareProps } from './sharing/share-meta.tsx';
import { LandingShare, PaywallShare } from './sharing/share-meta.tsx';
import { Document, HeadOfPage } from './shell/document.tsx';
import { SPECULATION_RULES, THEME_SCRIPT, TRANSITIONS_SCRIPT } from './shell/document-scripts.ts';
import { describeFrame, Frame } from './shell/frame.tsx';
import { toScriptJson } from './shell/raw.tsx';

// biome-ignore lint/suspicious/noExplicitAny: each page has its own data.
const SHARES: Partial<Record<PageName, FC<ShareProps<any>>>> = {
  landing: LandingShare,
  paywall: PaywallShare,
};

export const bundle: WebBundle = {
  pages,
  mails,
  renderPage,
  INLINE_SCRIPTS: [SPECULATION_RULES, THEME_SCRIPT, TRANSITIONS_SCRIPT],
  SERVICE_WORKER,
};

function renderPage(
  name: PageName,
  ctx: PageContext,
  data: unknown,
  assets: Assets,
): RenderedDocument {
  const page = pages[name] as Page<unknown>;
  const head = page.head(data, ctx);
  const Share = SHARES[name];
  const share = Share && <Share ctx={ctx} data={data} head={head} />;
  const { hydrate } = page;
  return {
    fixed: fixedParts(name, ctx, assets),
    own: [
      renderToStaticMarkup(<HeadOfPage head={head} share={share} />),
      renderToString(<page.Component ctx={ctx} data={data} />),
      hydrate === 'never' ? '' : toScriptJson({ module: assets.module, hydrate, ctx, data }),
    ],
  };
}

/** By the assets, which are the same as long as the build is. */
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
  const document = (
    <Document
      assets={assets}
      head={<meta name={PLACE} />}
      hydration={hydrate === 'never' ? undefined : { json: PLACE, late: hydrate === 'late' }}
    >
      <Frame ctx={ctx} page={PLACE} />
    </Document>
  );
  const html = `<!doctype html>${renderToStaticMarkup(document)}`;
  const parts = html.replace(`<meta name="${PLACE}"/>`, PLACE).split(PLACE);
  // A page without behavior ends with nothing of its own.
  return hydrate === 'never' ? [...parts, ''] : parts;
}
