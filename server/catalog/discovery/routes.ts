import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { sendCached } from '../../edge/http/etag.ts';
import type { Changes } from '../../ground/lib/changes.ts';
import { DAY_MS } from '../../ground/lib/time.ts';
import type { LinkReaders } from '../links/queries.ts';
import { registerAtom } from './atom.ts';
import { registerSitemap } from './sitemap.ts';

interface Context extends LinkReaders {
  changes: Changes;
  publicUrl: string;
  siteName: string;
  logo: { path: string; mediaType: string; bytes: Buffer } | null;
  supportEmail: string | null;
  /** UTC milliseconds. */
  now(): number;
}

/** What search engines, feed readers and devices request from a site at well-known addresses. */
export const discoveryRoutes: FastifyPluginAsync<Context> = async (app, context) => {
  registerAtom(app, context);
  registerSitemap(app, context);
  registerTexts(app, context);
  await registerIcons(app, context);
};

const ICONS = new URL('../../../web/assets/icons/', import.meta.url);
/** Where browsers and phones look by default; drawn by scripts/draw-icons.mjs. */
const FILES = {
  '/favicon.ico': 'image/x-icon',
  '/apple-touch-icon.png': 'image/png',
  '/icon-192.png': 'image/png',
  '/icon-512.png': 'image/png',
};
const MANIFEST = {
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

/** The icons of the site and its logo, and /site.webmanifest. */
async function registerIcons(app: FastifyInstance, { siteName, logo }: Context): Promise<void> {
  for (const [path, type] of Object.entries(FILES)) {
    const bytes = await readFile(new URL(path.slice(1), ICONS));
    app.get(path, (_request, reply) => reply.type(type).header('cache-control', CACHE).send(bytes));
  }
  const manifest = JSON.stringify({ name: siteName, short_name: siteName, ...MANIFEST });
  app.get('/site.webmanifest', (_request, reply) =>
    reply.type('application/manifest+json').header('cache-control', CACHE).send(manifest),
  );
  if (!logo) return;
  const headers = {
    'cache-control': CACHE,
    // Opened by itself, an SVG could run scripts of this origin.
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  };
  app.get(logo.path, (_request, reply) =>
    reply.type(logo.mediaType).headers(headers).send(logo.bytes),
  );
}

/** What shows nothing to someone without an account, a purchase or a key. */
const NOT_FOR_CRAWLERS = [
  '/account',
  '/api/',
  '/dashboard',
  '/download/',
  '/failed',
  '/graphql',
  '/login?',
  '/p/*/content',
  '/prod/',
  '/sandbox/',
  '/storage/',
  '/success',
  '/upload',
  '/webhooks/',
];
const CACHED_SECONDS = 3_600;
/** RFC 9116 asks for less than a year. */
const VALID_DAYS = 180;

/** GET /robots.txt, and /.well-known/security.txt if there is an address to write to. */
function registerTexts(app: FastifyInstance, { publicUrl, supportEmail, now }: Context): void {
  const type = 'text/plain; charset=utf-8';
  const robots = [
    'User-agent: *',
    ...NOT_FOR_CRAWLERS.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${publicUrl}/sitemap.xml`,
    '',
  ].join('\n');
  app.get('/robots.txt', (request, reply) =>
    sendCached(request, reply, { type, body: robots, seconds: CACHED_SECONDS }),
  );
  if (!supportEmail) return;
  app.get('/.well-known/security.txt', (request, reply) => {
    const today = Math.floor(now() / DAY_MS);
    const body = [
      `Contact: mailto:${supportEmail}`,
      `Expires: ${new Date((today + VALID_DAYS) * DAY_MS).toISOString()}`,
      'Preferred-Languages: en',
      `Canonical: ${publicUrl}/.well-known/security.txt`,
      '',
    ].join('\n');
    return sendCached(request, reply, { type, body, seconds: CACHED_SECONDS });
  });
}
