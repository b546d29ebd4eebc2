import type { FastifyInstance } from 'fastify';
import { escapeHtml } from '../../contract/escape-html.ts';
import { nameLink } from '../../contract/links.ts';
import { formatCents } from '../../contract/money.ts';
import { sendCached } from '../http/etag.ts';
import { dropForbidden } from '../lib/characters.ts';
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
    const { Feed } = await import('feed');
    const feed = new Feed({
      id: `${publicUrl}/explore`,
      title: 'Explore Paywall Links · Padlink',
      link: `${publicUrl}/explore`,
      feedLinks: { atom: `${publicUrl}/explore.atom` },
      author: { name: 'Padlink', link: publicUrl },
      updated,
      generator: 'Padlink',
    });
    for (const [place, link] of links.entries()) {
      const seller = sellers[place];
      const address = `${publicUrl}/p/${link.id}`;
      feed.addItem({
        id: address,
        link: address,
        // The feed says of both that they are HTML.
        title: escapeHtml(dropForbidden(nameLink(link))),
        description: escapeHtml(dropForbidden(summarize(link))),
        date: new Date(link.updated_at),
        published: new Date(link.created_at),
        ...(seller && { author: [{ name: dropForbidden(seller) }] }),
      });
    }
    const body = feed.atom1();
    const type = 'application/atom+xml; charset=utf-8';
    return sendCached(request, reply, {
      type,
      body,
      seconds: CACHED_SECONDS,
      lastModified: updated,
    });
  });
}

function summarize({ unlocked, price_cents, description }: Link): string {
  const price = unlocked === 1 ? 'Free' : `$${formatCents(price_cents)}`;
  return description ? `${price}. ${description}` : price;
}
