import type { ReactNode } from 'react';
import type { Assets } from '../../contract/web-bundle.ts';
import fontUrl from '../assets/fonts/instrument-sans.woff2?url';
import iconUrl from '../assets/icons/padlink.svg?url';
import { spoken } from '../languages/say.ts';
import { SCRIPTS } from './document-scripts.ts';
import { Raw } from './raw.tsx';

interface DocumentProps {
  /** What the head says of this page, before the styles: some that read it read no further. */
  head: ReactNode;
  assets: Assets;
  /** What is seen. */
  children: ReactNode;
  /** What the browser hydrates from; absent for a page without behavior. */
  hydration?: { json: string; late: boolean };
  /** Whether checkouts begin on this page. */
  sells: boolean;
}

export function Document({ head, assets, children, hydration, sells }: DocumentProps) {
  return (
    <html lang={spoken()?.language ?? 'en'}>
      <head>
        <meta charSet="utf-8" />
        <meta content="width=device-width, initial-scale=1" name="viewport" />
        {head}
        <meta content="light dark" name="color-scheme" />
        <Raw as="script" html={SCRIPTS.theme} />
        <Raw as="script" html={SCRIPTS.transitions} />
        <Raw as="script" html={SCRIPTS.cart} />
        <link as="font" crossOrigin="anonymous" href={fontUrl} rel="preload" type="font/woff2" />
        <Raw as="style" html={assets.css} />
        {assets.styles?.map((href) => (
          <link href={href} key={href} rel="stylesheet" />
        ))}
        <link href={iconUrl} rel="icon" type="image/svg+xml" />
        <link href="/apple-touch-icon.png" rel="apple-touch-icon" />
        <link href="/site.webmanifest" rel="manifest" />
        {hydration &&
          !hydration.late &&
          assets.preloads.map((href) => <link href={href} key={href} rel="modulepreload" />)}
        {hydration && <Raw as="script" html={SCRIPTS.earlySubmits} />}
        {sells && <Raw as="script" html={SCRIPTS.checkoutKey} />}
        {hydration?.late === true && (
          <Raw as="script" data-src={assets.script} html={SCRIPTS.late} />
        )}
        {hydration?.late === false && <script src={assets.script} type="module" />}
        <Raw as="script" html={SCRIPTS.speculationRules} type="speculationrules" />
      </head>
      <body>
        {children}
        {hydration && <Raw as="script" html={hydration.json} id="page" type="application/json" />}
      </body>
    </html>
  );
}
