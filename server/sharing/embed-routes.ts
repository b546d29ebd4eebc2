import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { dropForbidden } from '../../contract/characters.ts';
import { CARD_HEIGHT, CARD_WIDTH, LINK_ID_PATTERN } from '../../contract/limits.ts';
import { showFacts } from '../files/file-facts.ts';
import { DomainError } from '../lib/domain-error.ts';
import { GUEST } from '../lib/viewer.ts';
import type { LinkReaders } from '../links/queries.ts';
import { findOffer, type Offer, PresentedLink } from '../paywall/present-link.ts';

interface Context extends LinkReaders {
  publicUrl: string;
  /** Empty where nothing can be bought. */
  checkoutApiEndpoint: string;
  /** Whether taxes are added to prices at the checkout. */
  tax: boolean;
  supportEmail: string | null;
}

/**
 * What a creator's own site uses: GET /embed.js makes buttons of links (docs/embedding.md), GET
 * /p/{id}/offer.json tells it, and programs that buy, what the page tells a guest. And what sites show by themselves: GET /oembed.
 */
export const embedRoutes: FastifyPluginAsync<Context> = async (app, context) => {
  registerOembed(app, context);
  const script = await readFile(new URL('embed/button.js', import.meta.url));

  app.get('/embed.js', (_request, reply) => {
    openToAll(reply, 3_600);
    return reply.type('text/javascript; charset=utf-8').send(script);
  });

  app.get(
    '/p/:id/offer.json',
    async (request: FastifyRequest<{ Params: { id: string } }>, reply) => {
      const offer = await findOffer(context, request.params.id);
      openToAll(reply, 60);
      if (!offer) throw new DomainError('NOT_FOUND', 'There is no link at this address.');
      return reply.send(await describeOffer(context, offer));
    },
  );
};

/** What the page tells a guest, for programs: what is sold, for how much, and how to buy it. */
async function describeOffer(context: Context, { link, name, seller, price }: Offer) {
  const { publicUrl, checkoutApiEndpoint } = context;
  const presented = new PresentedLink(context, GUEST, link);
  const hold = await presented.findHold();
  const contents = await presented.listContents();
  return {
    ...{ title: name, price, id: link.id, url: `${publicUrl}/p/${link.id}` },
    ...{ description: presented.description, seller },
    amount: presented.free ? 0 : presented.price,
    ...{ currency: 'usd', taxAdded: context.tax },
    available: !presented.paused && hold === null,
    delivers: {
      ...{ type: presented.type, version: presented.version },
      contents: contents.map(showFacts),
    },
    buy:
      presented.free || checkoutApiEndpoint === ''
        ? null
        : {
            ...{ method: 'POST', url: `${checkoutApiEndpoint}checkout` },
            ...{ contentType: 'application/json', body: { paywallId: link.id } },
          },
    terms: `${publicUrl}/terms`,
    contact: context.supportEmail,
  };
}

/** For pages of every site, which bring no cookies: what is told is public. */
function openToAll(reply: FastifyReply, seconds: number): void {
  reply.header('access-control-allow-origin', '*');
  reply.header('cross-origin-resource-policy', 'cross-origin');
  reply.header('cache-control', `public, max-age=${seconds}`);
}

interface Query {
  url?: string;
  format?: string;
  maxwidth?: string;
  maxheight?: string;
}

const CACHED_SECONDS = 3_600;

/**
 * GET /oembed?url=…: what other sites show of a link (https://oembed.com). Of type 'link': a
 * paywall is opened, never shown in a frame.
 */
function registerOembed(app: FastifyInstance, context: Context): void {
  const { publicUrl } = context;
  app.get('/oembed', async (request: FastifyRequest<{ Querystring: Query }>, reply) => {
    const { url, format = 'json', ...limits } = request.query;
    if (format !== 'json' && format !== 'xml') {
      throw new DomainError('FORMAT_NOT_OFFERED', "The format must be 'json' or 'xml'.");
    }
    const id = linkIdOf(url, publicUrl);
    const offer = id && (await findOffer(context, id));
    if (!offer) throw new DomainError('NOT_FOUND', 'There is no link at this address.');
    const answer = {
      version: '1.0',
      type: 'link',
      title: offer.name,
      ...(offer.seller && { author_name: offer.seller }),
      provider_name: 'Padlink',
      provider_url: publicUrl,
      cache_age: CACHED_SECONDS,
      ...(allowsCard(limits) && {
        thumbnail_url: `${publicUrl}/p/${id}/card.png`,
        thumbnail_width: CARD_WIDTH,
        thumbnail_height: CARD_HEIGHT,
      }),
    };
    reply.header('access-control-allow-origin', '*');
    reply.header('cache-control', `public, max-age=${CACHED_SECONDS}`);
    if (format === 'json') return reply.send(answer);
    return reply.type('text/xml; charset=utf-8').send(toXml(answer));
  });
}

/** The id of a link of this site; undefined for every other address. */
function linkIdOf(address: string | undefined, publicUrl: string): string | undefined {
  if (!address || !URL.canParse(address)) return undefined;
  const { origin, pathname } = new URL(address);
  const [, page, id, ...rest] = pathname.split('/');
  const isLink = origin === publicUrl && page === 'p' && rest.length === 0;
  return isLink && id && LINK_ID_PATTERN.test(id) ? id : undefined;
}

function allowsCard({ maxwidth, maxheight }: Query): boolean {
  return !(Number(maxwidth) < CARD_WIDTH || Number(maxheight) < CARD_HEIGHT);
}

function toXml(answer: object): string {
  const fields = Object.entries(answer).map(([name, value]) => {
    const text = dropForbidden(String(value)).replace(
      /[&<>]/g,
      (sign) => `&#${sign.charCodeAt(0)};`,
    );
    return `<${name}>${text}</${name}>`;
  });
  return `<?xml version="1.0" encoding="utf-8" standalone="yes"?><oembed>${fields.join('')}</oembed>`;
}
