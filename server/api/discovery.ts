import type { FastifyInstance } from 'fastify';
import type { Changes } from '../domain/changes.ts';
import { registerAtom } from './discovery/atom.ts';
import { registerIcons } from './discovery/icons.ts';
import { registerSitemap } from './discovery/sitemap.ts';
import { registerTexts } from './discovery/texts.ts';
import type { LinkReaders } from './present-link.ts';

interface Deps {
  readers: LinkReaders;
  changes: Changes;
  publicUrl: string;
  supportEmail: string | null;
  /** UTC milliseconds. */
  now(): number;
}

/** What search engines, feed readers and devices ask a site for at addresses of their own. */
export async function registerDiscovery(app: FastifyInstance, deps: Deps): Promise<void> {
  registerAtom(app, deps.readers, deps.publicUrl);
  registerSitemap(app, { ...deps, db: deps.readers.db });
  registerTexts(app, deps);
  await registerIcons(app);
}
