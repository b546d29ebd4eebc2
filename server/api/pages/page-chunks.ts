import type { PageName } from '../../../contract/page-context.ts';

export interface ManifestChunk {
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
  return collectChunks(manifest, [ENTRY, 'web/hydrate-page.tsx', `web/pages/${page}.tsx`]);
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
