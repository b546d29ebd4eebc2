import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { PAGE_NAMES, type PageContext, type PageName } from '../../../contract/page-context.ts';
import { listPageChunks, type Manifest } from './page-chunks.ts';
import { putStyles } from './put-styles.ts';
import { stampServiceWorker } from './stamp-service-worker.ts';
import type { Mails, WebApp, WebPage } from './web-app.ts';

/** What the built bundle web/entry-server.tsx exports. */
export interface WebBundle {
  pages: Record<PageName, WebPage>;
  mails: Mails;
  renderPage(name: PageName, context: PageContext, data: unknown, assets: Assets): string;
  INLINE_SCRIPTS: string[];
  SERVICE_WORKER: string;
}

interface Assets {
  css: string;
  script: string | null;
  preloads: string[];
  styles?: string[];
}

/** Where `vite build` puts the application. */
export const DIST = new URL('../../../dist/', import.meta.url);

/** Loads the built application. @throws Error when it was not built */
export async function openBuiltWebApp(): Promise<WebApp> {
  const bundle: WebBundle = await import(new URL('server/entry-server.js', DIST).href);
  const names = await readClient('.vite/manifest.json');
  const manifest: Manifest = JSON.parse(names);
  const css = await readStyles(manifest);
  const { place, encode } = putStyles(css);
  const assets = new Map(PAGE_NAMES.map((name) => [name, assetsOf(manifest, name, place)]));
  return {
    pages: bundle.pages,
    mails: bundle.mails,
    render: async (name, context, data) =>
      encode(bundle.renderPage(name, context, data, assets.get(name) as Assets)),
    styleSources: [cspHash(css)],
    serviceWorker: stampServiceWorker(bundle.SERVICE_WORKER, [
      names,
      await readFile(new URL('server/entry-server.js', DIST), 'utf8'),
    ]),
    scriptSources: bundle.INLINE_SCRIPTS.map(cspHash),
    close: async () => {},
  };
}

const readClient = (path: string) => readFile(new URL(`client/${path}`, DIST), 'utf8');

async function readStyles(manifest: Manifest): Promise<string> {
  const files = new Set(Object.values(manifest).flatMap((chunk) => chunk.css ?? []));
  const sheets = await Promise.all([...files].map(readClient));
  return sheets.join('');
}

function assetsOf(manifest: Manifest, name: PageName, css: string): Assets {
  const [entry, ...others] = listPageChunks(manifest, name);
  return {
    css,
    script: entry ? `/${entry.file}` : null,
    preloads: others.map(({ file }) => `/${file}`),
  };
}

function cspHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
