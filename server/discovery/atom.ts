import type { FastifyInstance } from 'fastify';
import { dropForbidden, escapeHtml } from '../../contract/characters.ts';
import { nameLink } from '../../contract/links.ts';
import { formatCents } from '../../contract/money.ts';
import { sendCached } from '../http/etag.ts';
import { isoTime } from '../lib/time.ts';
import type { LinkReaders } from '../links/queries.ts';
import type { Link } from '../links/tables.ts';
import { newestPublicLinks } from '../listing/list-public.ts';

const ENTRIES = 50;
const CACHED_SECONDS = 60;

interface Context extends LinkReaders {
  publicUrl: string;
  /** UTC milliseconds. */
  now(): number;
}

/** GET /explore.atom: the newest links, for feed readers. */
export function registerAtom(
  app: FastifyInstance,
  { db, findSeller, publicUrl, now }: Context,
): void {
  const started = now();
  app.get('/explore.atom', async (request, reply) => {
    const links = await newestPublicLinks(db, ENTRIES);
    const sellers = await Promise.all(links.map(({ owner_id }) => findSeller(owner_id)));
    const changes = links.map(({ updated_at }) => updated_at);
    const updated = new Date(changes.length > 0 ? Math.max(...changes) : started);
    const body = writeFeed(
      publicUrl,
      updated,
      links.map((link, place) => ({ link, seller: sellers[place] ?? null })),
    );
    const type = 'application/atom+xml; charset=utf-8';
    return sendCached(request, reply, {
      type,
      body,
      seconds: CACHED_SECONDS,
      lastModified: updated,
    });
  });
}

/** RFC 4287. */
function writeFeed(publicUrl: string, updated: Date, entries: Entry[]): string {
  const explore = `${publicUrl}/explore`;
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${escapeHtml(explore)}</id>
  <title>Explore Paywall Links · Padlink</title>
  <updated>${updated.toISOString()}</updated>
  <generator>Padlink</generator>
  <author><name>Padlink</name><uri>${escapeHtml(publicUrl)}</uri></author>
  <link rel="alternate" href="${escapeHtml(explore)}"/>
  <link rel="self" href="${escapeHtml(explore)}.atom"/>
${entries.map((entry) => writeEntry(publicUrl, entry)).join('')}</feed>
`;
}

interface Entry {
  link: Link;
  seller: string | null;
}

function writeEntry(publicUrl: string, { link, seller }: Entry): string {
  const address = escapeHtml(`${publicUrl}/p/${link.id}`);
  const author = seller && `<author><name>${write(seller)}</name></author>`;
  return `  <entry>
    <id>${address}</id>
    <title type="html">${writeHtml(nameLink(link))}</title>
    <link href="${address}"/>
    <published>${isoTime(link.created_at)}</published>
    <updated>${isoTime(link.updated_at)}</updated>
    <summary type="html">${writeHtml(summarize(link))}</summary>${author ?? ''}
  </entry>
`;
}

const write = (text: string) => escapeHtml(dropForbidden(text));
/** As HTML that shows the text: some readers take every text for HTML. */
const writeHtml = (text: string) => write(escapeHtml(text));

function summarize({ unlocked, price_cents, description }: Link): string {
  const price = unlocked === 1 ? 'Free' : `$${formatCents(price_cents)}`;
  return description ? `${price}. ${description}` : price;
}
