import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { PAGE_NAMES, type PageContext, type PageName } from '../../contract/page-context.ts';
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
export const DIST = new URL('../../dist/', import.meta.url);

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

interface ManifestChunk {
  file: string;
  css?: string[];
  imports?: string[];
  dynamicImports?: string[];
}

/** What Vite writes down of a build: its chunks by their sources. */
export type Manifest = Record<string, ManifestChunk>;

export const ENTRY = 'web/client.tsx';

/** The chunks that hydrate a page: the entry first, and whatever they import, each once. */
export function listPageChunks(manifest: Manifest, page: PageName): ManifestChunk[] {
  // The entry asks for the other two only once it runs.
  const source = Object.keys(manifest).find((path) => path.endsWith(`/${page}.page.tsx`)) ?? '';
  return collectChunks(manifest, [ENTRY, 'web/shell/hydrate-page.tsx', source]);
}

/** The chunks of these sources and what they import, each once. */
export function collectChunks(manifest: Manifest, sources: string[]): ManifestChunk[] {
  const chunks = new Set<ManifestChunk>();
  const collect = (source: string) => {
    const chunk = manifest[source];
    if (!chunk || chunks.has(chunk)) return;
    chunks.add(chunk);
    chunk.imports?.forEach(collect);
  };
  sources.forEach(collect);
  return [...chunks];
}

/**
 * Puts the stylesheet, by far the largest part of a document, into each as bytes, so that it is
 * not encoded again with every page.
 */
function putStyles(css: string): { place: string; encode(html: string): Buffer } {
  const styles = Buffer.from(css);
  // A title cannot hold what nobody knows.
  const place = `/*${randomBytes(16).toString('hex')}*/`;
  return {
    place,
    encode(html) {
      const start = html.indexOf(place);
      if (start < 0) return Buffer.from(html);
      const before = Buffer.from(html.slice(0, start));
      return Buffer.concat([before, styles, Buffer.from(html.slice(start + place.length))]);
    },
  };
}

/**
 * The service worker of a build, told apart from those of others by a hash of `build`: browsers
 * install a worker anew, and so fetch the page they keep, only where its text has changed.
 */
export function stampServiceWorker(worker: string, build: string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(build)).digest('hex').slice(0, 16);
  return `${worker}\n// Build ${hash}\n`;
}
