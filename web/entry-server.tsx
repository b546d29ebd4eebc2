import type { FC } from 'react';
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import type { PageContext, PageName } from './page.ts';
import { pages } from './pages.ts';
import type { ShareProps } from './sharing/share-meta.tsx';
import { LandingShare, PaywallShare } from './sharing/share-meta.tsx';
import { type Assets, Document } from './shell/document.tsx';
import { SPECULATION_RULES, THEME_SCRIPT, TRANSITIONS_SCRIPT } from './shell/document-scripts.ts';
import { Frame } from './shell/frame.tsx';
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

/** The whole document of a page. `data` is the answer to the page's query. */
export function renderPage(
  name: PageName,
  ctx: PageContext,
  data: unknown,
  assets: Assets,
): string {
  const page = pages[name];
  const hydration =
    page.hydrate === 'never'
      ? undefined
      : {
          json: toScriptJson({ module: assets.module, hydrate: page.hydrate, ctx, data }),
          late: page.hydrate === 'late',
        };
  const head = page.head(data, ctx);
  const Share = SHARES[name];
  const document = (
    <Document
      assets={assets}
      head={head}
      hydration={hydration}
      share={Share && <Share ctx={ctx} data={data} head={head} />}
    >
      <Frame ctx={ctx} page={renderToString(<page.Component ctx={ctx} data={data} />)} />
    </Document>
  );
  return `<!doctype html>${renderToStaticMarkup(document)}`;
}
