import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';

const ICONS = new URL('../../../web/icons/', import.meta.url);
/** Where browsers and phones look without being told; drawn by scripts/draw-icons.mjs. */
const FILES = {
  '/favicon.ico': 'image/x-icon',
  '/apple-touch-icon.png': 'image/png',
  '/icon-192.png': 'image/png',
  '/icon-512.png': 'image/png',
};
const MANIFEST = {
  name: 'Padlink',
  short_name: 'Padlink',
  description: 'Upload. Share. Earn.',
  start_url: '/',
  display: 'minimal-ui',
  background_color: '#f6f8fb',
  theme_color: '#1b2130',
  icons: [192, 512].map((size) => ({
    src: `/icon-${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
  })),
};
const CACHE = 'public, max-age=86400';

/** The icons of the site, and /site.webmanifest. */
export async function registerIcons(app: FastifyInstance): Promise<void> {
  for (const [path, type] of Object.entries(FILES)) {
    const bytes = await readFile(new URL(path.slice(1), ICONS));
    app.get(path, (_request, reply) => reply.type(type).header('cache-control', CACHE).send(bytes));
  }
  const manifest = JSON.stringify(MANIFEST);
  app.get('/site.webmanifest', (_request, reply) =>
    reply.type('application/manifest+json').header('cache-control', CACHE).send(manifest),
  );
}
