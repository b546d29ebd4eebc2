import { isolate } from './isolate.ts';
import type { RuntimeConfig } from './runtime-config.ts';

/** What the product is called, and a site whose operator gives it no name. */
export const PRODUCT_NAME = 'Padlink';

type Named = Pick<RuntimeConfig, 'siteName'>;

export const siteNameOf = ({ siteName = PRODUCT_NAME }: Named): string => isolate(siteName);

/** The title of a page, as browsers show it. */
export const titleOnSite = (title: string, config: Named): string =>
  `${title} · ${siteNameOf(config)}`;
