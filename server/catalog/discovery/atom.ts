import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { dropForbidden } from '../../../contract/characters.ts';
import { escapeHtml } from '../../../contract/escape-html.ts';
import { putIntoEnglish } from '../../../contract/fact.ts';
import { isolate } from '../../../contract/isolate.ts';
import { priceOf } from '../../../contract/links.ts';
import { nameLink } from '../../../contract/name-link.ts';
import type { ApiCall } from '../../edge/http/describe-calls.ts';
import { sendCached } from '../../edge/http/etag.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { isoTime } from '../../ground/lib/time.ts';
import type { LinkReaders } from '../links/queries.ts';
import type { Link } from '../links/tables.ts';
import { newestPublicLinks } from '../listing/list-public.ts';
import { findSellerPage, nameSeller } from '../sellers/queries.ts';

const ENTRIES = 50;
const CACHED_SECONDS = 60;

interface Context extends LinkReaders {
  publicUrl: string;
  siteName: string;
  /** UTC milliseconds. */
  now(): number;
}

const FEED = { 200: { says: 'At most 50, newest first.', mediaType: 'application/atom+xml' } };

const CALLS = {
  newest: { name: 'getFeed', summary: 'The newest links on sale.', answers: FEED },
  ofSeller: { name: 'getSellerFeed', summary: 'Those of one seller.', answers: FEED },
} satisfies Record<string, ApiCall>;

/** GET /explore.atom and /s/{handle}/feed.atom: the newest links, for feed readers. */
export function registerAtom(
  app: FastifyInstance,
  { db, findSeller, publicUrl, siteName, now }: Context,
): void {
  const started = now();

  app.get('/explore.atom', { config: { api: CALLS.newest } }, async (request, reply) => {
    const links = await newestPublicLinks(db, ENTRIES);
    const page = `${publicUrl}/explore`;
    const author = { name: siteName, uri: publicUrl };
    const feed = { page, self: `${page}.atom`, title: 'Explore Paywall Links', author };
    return send(request, reply, feed, links);
  });

  app.get(
    '/s/:handle/feed.atom',
    { config: { api: CALLS.ofSeller } },
    async (request: SellerRequest, reply) => {
      const seller = await findSellerPage(db, request.params.handle);
      if (!seller) throw new DomainError('NOT_FOUND', 'There is no feed at this address.');
      const links = await newestPublicLinks(db, ENTRIES, seller.ownerId);
      const page = `${publicUrl}/s/${seller.handle}`;
      const title = nameSeller(seller);
      const author = { name: title, uri: page };
      return send(request, reply, { page, self: `${page}/feed.atom`, title, author }, links);
    },
  );

  async function send(request: FastifyRequest, reply: FastifyReply, feed: Feed, links: Link[]) {
    const sellers = await Promise.all(links.map(({ owner_id }) => findSeller(owner_id)));
    const changes = links.map(({ updated_at }) => updated_at);
    const updated = new Date(changes.length > 0 ? Math.max(...changes) : started);
    const entries = links.map((link, place) => ({ link, seller: sellers[place]?.name ?? null }));
    return sendCached(request, reply, {
      type: 'application/atom+xml; charset=utf-8',
      body: writeFeed({ publicUrl, siteName }, feed, updated, entries),
      seconds: CACHED_SECONDS,
      lastModified: updated,
    });
  }
}

type SellerRequest = FastifyRequest<{ Params: { handle: string } }>;

interface Feed {
  /** What it is of; names the feed as well. */
  page: string;
  self: string;
  title: string;
  author: { name: string; uri: string };
}

/** RFC 4287. */
function writeFeed(
  { publicUrl, siteName }: Pick<Context, 'publicUrl' | 'siteName'>,
  { page, self, title, author }: Feed,
  updated: Date,
  entries: Entry[],
): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${escapeHtml(page)}</id>
  <title>${write(isolate(title))} · ${write(siteName)}</title>
  <updated>${updated.toISOString()}</updated>
  <generator>Padlink</generator>
  <author><name>${write(author.name)}</name><uri>${escapeHtml(author.uri)}</uri></author>
  <link rel="alternate" href="${escapeHtml(page)}"/>
  <link rel="self" href="${escapeHtml(self)}"/>
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

function summarize({ unlocked, price_cents, least_cents, description }: Link): string {
  const price = putIntoEnglish(
    priceOf({ price: price_cents, least: least_cents, free: unlocked === 1 }),
  );
  return description ? `${price}. ${isolate(description)}` : price;
}
