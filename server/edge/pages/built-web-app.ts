import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { PageContext } from '../../../contract/page-context.ts';
import { PAGE_NAMES, type PageName } from '../../../contract/pages.ts';
import type { Assets, RenderedDocument, WebBundle } from '../../../contract/web-bundle.ts';

/** The built React application, or the development server's live one. */
export interface WebApp extends Pick<WebBundle, 'pages' | 'mails' | 'pushTexts' | 'tell'> {
  /** The whole document. */
  render(name: PageName, context: PageContext, data: unknown): Promise<Buffer>;
  /** The text of the service worker; null where there is none. */
  serviceWorker: string | null;
  /** CSP sources for the styles and the scripts that each page inlines. */
  styleSources: Record<PageName, string[]>;
  scriptSources: Record<PageName, string[]>;
  close(): Promise<void>;
}

type Sentences = Pick<Assets, 'sentences' | 'sentencesToAccounts'>;

/** The module web/entry-server.tsx. */
export interface EntryServer {
  bundle: WebBundle;
}

/** Where `vite build` puts the application. */
export const DIST = new URL('../../../dist/', import.meta.url);

/**
 * Loads the built application.
 * @param look styles of the site's own, after the product's
 * @throws Error when it was not built
 */
export async function openBuiltWebApp(look = ''): Promise<WebApp> {
  const { bundle }: EntryServer = await import(new URL('server/entry-server.js', DIST).href);
  const names = await readClient('.vite/manifest.json');
  const manifest: Manifest = JSON.parse(names);
  const styles: Record<PageName, string> = JSON.parse(await readClient('.vite/styles.json'));
  for (const name of PAGE_NAMES) styles[name] += look;
  const sentences: Record<PageName, Sentences> = JSON.parse(
    await readClient('.vite/sentences.json'),
  );
  const assets = forEachPage((name) => ({
    ...assetsOf(manifest, name, styles[name]),
    ...sentences[name],
  }));
  const encode = createEncoder();
  return {
    ...bundle,
    async render(name, context, data) {
      return encode(bundle.renderPage(name, context, data, assets[name]));
    },
    styleSources: forEachPage((name) => [cspHash(styles[name])]),
    serviceWorker: stampServiceWorker(bundle.SERVICE_WORKER, [
      names,
      await readFile(new URL('server/entry-server.js', DIST), 'utf8'),
      look,
    ]),
    scriptSources: forEachPage((name) => bundle.inlineScripts(name).map(cspHash)),
    close: async () => {},
  };
}

const readClient = (path: string) => readFile(new URL(`client/${path}`, DIST), 'utf8');

/** A value for each page. */
export function forEachPage<Value>(make: (name: PageName) => Value): Record<PageName, Value> {
  const entries = PAGE_NAMES.map((name) => [name, make(name)] as const);
  return Object.fromEntries(entries) as Record<PageName, Value>;
}

function assetsOf(manifest: Manifest, name: PageName, css: string): Omit<Assets, keyof Sentences> {
  const { entry, page, all } = listPageChunks(manifest, name);
  return {
    css,
    script: `/${entry.file}`,
    module: `/${page.file}`,
    preloads: all.filter((chunk) => chunk !== entry).map(({ file }) => `/${file}`),
  };
}

function cspHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

interface ManifestChunk {
  file: string;
  imports?: string[];
  dynamicImports?: string[];
}

/** What Vite writes down of a build: its chunks by their sources. */
export type Manifest = Record<string, ManifestChunk>;

const ENTRY = 'web/client.tsx';

/** The chunks that hydrate a page: the client entry, the page's own, and with them all they need. */
export function listPageChunks(manifest: Manifest, name: PageName) {
  const source = Object.keys(manifest).find((path) => path.endsWith(`/${name}.page.tsx`)) ?? '';
  const entry = manifest[ENTRY];
  const page = manifest[source];
  if (!entry || !page) throw new Error(`The build has no page ${name}`);
  // The entry asks for the other two only once it runs.
  const all = collectChunks(manifest, [ENTRY, 'web/shell/hydrate-page.tsx', source]);
  return { entry, page, all };
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

/** Encodes what is fixed, styles and all and by far the most of a document, once. */
function createEncoder(): (document: RenderedDocument) => Buffer {
  const encoded = new Map<string, Buffer>();
  const encodeFixed = (text: string) => {
    const bytes = encoded.get(text) ?? Buffer.from(text);
    encoded.set(text, bytes);
    return bytes;
  };
  return ({ fixed, own }) =>
    Buffer.concat(
      fixed.flatMap((text, place) => [encodeFixed(text), Buffer.from(own[place] ?? '')]),
    );
}

/**
 * The service worker of a build, told apart from those of others by a hash of `build`: browsers
 * install a worker anew, and so fetch the page they keep, only where its text has changed.
 */
export function stampServiceWorker(worker: string, build: string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(build)).digest('hex').slice(0, 16);
  return `${worker}\n// Build ${hash}\n`;
}
