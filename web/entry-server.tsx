import type { FC } from 'react';
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import type { PageContext, PageName } from './page.ts';
import { pages } from './pages.ts';
import type { ShareProps } from './sharing/share-meta.tsx';
import { LandingShare, PaywallShare } from './sharing/share-meta.tsx';
import { type Assets, Document, HeadOfPage } from './shell/document.tsx';
import { SPECULATION_RULES, THEME_SCRIPT, TRANSITIONS_SCRIPT } from './shell/document-scripts.ts';
import { describeFrame, Frame } from './shell/frame.tsx';
import { toScriptJson } from './shell/raw.tsx';

export { mails } from './mails/mails.ts';
export { pages } from './pages.ts';
export { SERVICE_WORKER } from './service-worker.ts';
export type { Assets, PageContext, PageName };

/** What every document has inline. */
export const INLINE_SCRIPTS = [SPECULATION_RULES, THEME_SCRIPT, TRANSITIONS_SCRIPT];

// biome-ignore lint/suspicious/noExplicitAny: each page has its own data.
const SHARES: Partial<Record<PageName, FC<ShareProps<any>>>> = {
  landing: LandingShare,
  paywall: PaywallShare,
};

/** What a document is put together of: these texts in turn, beginning and ending with a fixed one. */
export interface RenderedDocument {
  /** The same for every visitor and every link: one more than the others. */
  fixed: string[];
  /** Of this document alone. */
  own: string[];
}

/** The document of a page. `data` is the answer to the page's query. */
export function renderPage(
  name: PageName,
  ctx: PageContext,
  data: unknown,
  assets: Assets,
): RenderedDocument {
  const page = pages[name];
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
