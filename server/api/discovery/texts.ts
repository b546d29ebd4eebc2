import type { FastifyInstance } from 'fastify';
import { sendCached } from './send-cached.ts';

/** What shows nothing to somebody without an account, a purchase or a key. */
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
const DAY_MS = 24 * 60 * 60 * 1000;
/** RFC 9116 asks for less than a year. */
const VALID_DAYS = 180;

interface Deps {
  publicUrl: string;
  supportEmail: string | null;
  /** UTC milliseconds. */
  now(): number;
}

/** GET /robots.txt, and /.well-known/security.txt where there is somebody to write to. */
export function registerTexts(app: FastifyInstance, { publicUrl, supportEmail, now }: Deps): void {
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
