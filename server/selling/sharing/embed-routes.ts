import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { dropForbidden } from '../../../contract/characters.ts';
import { CARD_HEIGHT, CARD_WIDTH, LINK_ID_PATTERN } from '../../../contract/limits.ts';
import { nameLink } from '../../../contract/name-link.ts';
import type { LinkReaders } from '../../catalog/links/queries.ts';
import type { ApiCall } from '../../edge/http/describe-calls.ts';
import { showFacts } from '../../files/file-facts.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { isoTime } from '../../ground/lib/time.ts';
import { GUEST } from '../../ground/lib/viewer.ts';
import { findOffer, type Offer, PresentedLink } from '../paywall/present-link.ts';
import { countCopiesTaken, findEndOfSale, leftOf } from '../purchases/copies-left.ts';
import { visitorOf } from '../purchases/queries.ts';

interface Context extends LinkReaders {
  publicUrl: string;
  siteName: string;
  /** Empty where nothing can be bought. */
  checkoutApiEndpoint: string;
  /** Cents: the least that the provider charges a card. */
  providerMinimumCents: number;
  /** Whether taxes are added to prices at the checkout. */
  tax: boolean;
  supportEmail: string | null;
  now: () => number;
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
    { config: { api: OFFER } },
    async (request: FastifyRequest<{ Params: { id: string } }>, reply) => {
      const offer = await findOffer(context, request.params.id);
      openToAll(reply, 60);
      if (!offer) throw new DomainError('NOT_FOUND', 'There is no link at this address.');
      return reply.send(await describeOffer(context, offer));
    },
  );
};

const OFFER: ApiCall = {
  name: 'getOffer',
  summary: 'What a program needs to buy a link.',
  answers: {
    200: {
      says: 'As the page tells a guest.',
      json: z.object({
        id: z.string(),
        url: z.string(),
        title: z.string(),
        description: z.string().nullable(),
        seller: z.string().nullable(),
        price: z.string().describe('Such as "$4.99", or "Free".'),
        amount: z.int().describe('Cents.'),
        currency: z.literal('usd'),
        least: z.int().nullable().describe('Cents: buyers name the price, from this on.'),
        left: z.int().nullable().describe('Copies that can still be bought; null for any number.'),
        until: z.string().nullable().describe('When the sale ends, ISO 8601.'),
        taxAdded: z.boolean().describe('Whether taxes are added at the checkout.'),
        available: z.boolean(),
        delivers: z.object({
          type: z.enum(['file', 'link', 'bundle']),
          version: z.int(),
          contents: z.array(
            z.looseObject({
              mediaType: z.string().nullable(),
              size: z.number().describe('Bytes.'),
            }),
          ),
        }),
        buy: z
          .object({
            method: z.literal('POST'),
            url: z.string(),
            contentType: z.literal('application/json'),
            body: z.object({ paywallId: z.string() }),
          })
          .nullable()
          .describe('How a checkout begins; null where it is free or nothing can be bought.'),
        gift: z
          .object({ url: z.string() })
          .nullable()
          .describe(
            'The page that asks whom it is given to; programs send `gift` in the body. Null as `buy`.',
          ),
        terms: z.string().describe('The page with the terms of sale and of refunds.'),
        contact: z.string().nullable(),
      }),
    },
  },
};

const OEMBED: ApiCall = {
  name: 'getOembed',
  summary: 'What other sites show of a link, as oEmbed has it.',
  query: z.object({
    url: z.string().describe('Of its page.'),
    format: z.enum(['json', 'xml']).optional(),
    maxwidth: z.string().optional(),
    maxheight: z.string().optional(),
  }),
  answers: { 200: { says: 'Of type link.', json: z.looseObject({ title: z.string() }) } },
};

/** What the page tells a guest, for programs: what is sold, for how much, and how to buy it. */
async function describeOffer(context: Context, { link, name, seller, price }: Offer) {
  const { publicUrl, checkoutApiEndpoint } = context;
  const presented = new PresentedLink(context, GUEST, link);
  const hold = await presented.findHold();
  const contents = await presented.listContents();
  const parts = await presented.findParts();
  const { limits, free, least } = presented;
  const at = context.now();
  const visitor = visitorOf(GUEST, link.id);
  const end = free ? null : await findEndOfSale(context.db, limits, visitor, at);
  const isSold = !free && checkoutApiEndpoint !== '';
  const isPayable = free || least !== null || presented.price >= context.providerMinimumCents;
  const page = `${publicUrl}/p/${link.id}`;
  const { copies } = limits;
  const taken =
    free || copies === null ? null : await countCopiesTaken(context.db, [link.id], visitor, at);
  return {
    title: name,
    price,
    id: link.id,
    url: page,
    description: presented.description,
    seller,
    amount: free ? 0 : presented.price,
    currency: 'usd',
    taxAdded: context.tax,
    least,
    left: copies === null || taken === null ? null : leftOf(copies, taken.get(link.id)),
    until: limits.sold_until === null ? null : isoTime(limits.sold_until),
    available: !presented.paused && hold === null && end === null && isPayable,
    delivers: {
      type: presented.type,
      version: presented.version,
      contents: contents.map(showFacts),
      ...(parts && {
        parts: parts.map((part) => ({
          id: part.id,
          title: nameLink(part),
          url: `${publicUrl}/p/${part.id}`,
        })),
      }),
    },
    buy: isSold
      ? {
          method: 'POST',
          url: `${checkoutApiEndpoint}checkout`,
          contentType: 'application/json',
          body: { paywallId: link.id },
        }
      : null,
    gift: isSold ? { url: `${page}?gift=` } : null,
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
  const { publicUrl, siteName } = context;
  app.get(
    '/oembed',
    { config: { api: OEMBED } },
    async (request: FastifyRequest<{ Querystring: Query }>, reply) => {
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
        provider_name: siteName,
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
    },
  );
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
