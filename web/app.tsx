import type { FC } from 'react';
import { ModeBanner } from './components/mode-banner.tsx';
import { SiteFooter } from './components/site-footer.tsx';
import { SiteHeader } from './components/site-header.tsx';
import type { PageContext, PageProps } from './page.ts';

interface AppProps<Data> {
  Component: FC<PageProps<Data>>;
  data: Data;
  ctx: PageContext;
}

/** What server and browser both render: the page between the header and the footer. */
export function App<Data>({ Component, data, ctx }: AppProps<Data>) {
  return (
    <>
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <ModeBanner payments={ctx.config.payments} />
      <SiteHeader ctx={ctx} />
      <main className="flex-1" id="content" tabIndex={-1}>
        <Component ctx={ctx} data={data} />
      </main>
      <SiteFooter />
    </>
  );
}
