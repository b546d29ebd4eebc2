import type { ReactNode } from 'react';
import type { Assets } from '../../contract/web-bundle.ts';
import fontUrl from '../assets/fonts/instrument-sans.woff2?url';
import iconUrl from '../assets/icons/padlink.svg?url';
import { spoken } from '../languages/say.ts';
import { EVERYWHERE, SPECULATION_RULES } from './document-scripts.ts';
import { Raw } from './raw.tsx';

interface DocumentProps {
  /** What the head says of this page, before the styles: some that read it read no further. */
  head: ReactNode;
  assets: Assets;
  /** What is seen. */
  children: ReactNode;
  /** What the browser hydrates from, and the script before that; absent for a page without behavior. */
  hydration?: { json: string; late: boolean; behavior: string };
}

export function Document({ head, assets, children, hydration }: DocumentProps) {
  return (
    <html lang={spoken()?.language ?? 'en'}>
      <head>
        <meta charSet="utf-8" />
        <meta content="width=device-width, initial-scale=1" name="viewport" />
        {head}
        <meta content="light dark" name="color-scheme" />
        <Raw as="script" html={EVERYWHERE} />
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
        {hydration && (
          <Raw
            as="script"
            data-src={hydration.late ? assets.script : undefined}
            html={hydration.behavior}
          />
        )}
        {hydration?.late === false && <script src={assets.script} type="module" />}
        <Raw as="script" html={SPECULATION_RULES} type="speculationrules" />
      </head>
      <body>
        {children}
        {hydration && <Raw as="script" html={hydration.json} id="page" type="application/json" />}
      </body>
    </html>
  );
}
