import { createHash } from 'node:crypto';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { nameFormat } from '../../../contract/describe-contents.ts';
import { putIntoEnglish } from '../../../contract/fact.ts';
import { type DrawCard, faceOf } from '../../catalog/links/cover.ts';
import { type LinkReaders, readOfferVersion } from '../../catalog/links/queries.ts';
import { findSellerPage, nameSeller, type SellerPage } from '../../catalog/sellers/queries.ts';
import type { ApiCall } from '../../edge/http/describe-calls.ts';
import { isKnownEtag } from '../../edge/http/etag.ts';
import { addressKey, type RateLimits } from '../../edge/http/rate-limits.ts';
import type { FileStore } from '../../files/file-store.ts';
import { readBlob } from '../../files/read-blob.ts';
import { ByteBoundedMap } from '../../ground/lib/byte-bounded-map.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { findOffer } from '../paywall/present-link.ts';

interface Context extends LinkReaders {
  publicUrl: string;
  siteName: string;
  store: FileStore;
  drawCard: DrawCard;
  limits: RateLimits;
}

const PICTURE = { 200: { says: '1200 by 630 pixels.', mediaType: 'image/png' } };

const CALLS = {
  ofLink: { name: 'getCard', summary: 'What other sites show of a link.', answers: PICTURE },
  ofSeller: {
    name: 'getSellerCard',
    summary: "What other sites show of a seller's page.",
    answers: PICTURE,
  },
} satisfies Record<string, ApiCall>;

/** GET /p/{id}/card.png and /s/{handle}/card.png: what other sites show of a link, or a seller. */
export const cardRoutes: FastifyPluginAsync<Context> = async (app, context) => {
  const cards = createCardKeeper();
  app.get(
    '/p/:id/card.png',
    { config: { api: CALLS.ofLink } },
    async (request: FastifyRequest<{ Params: { id: string } }>, reply) => {
      const { id } = request.params;
      const version = await readOfferVersion(context.db, id);
      if (version === null) throw notFound();
      return send(request, reply, { id, version }, () => draw(context, id));
    },
  );

  app.get(
    '/s/:handle/card.png',
    { config: { api: CALLS.ofSeller } },
    async (request: SellerRequest, reply) => {
      const seller = await findSellerPage(context.db, request.params.handle);
      if (!seller) throw notFound();
      const { handle, version } = seller;
      return send(request, reply, { id: `/s/${handle}`, version }, () =>
        drawSeller(context, seller),
      );
    },
  );

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    { id, version }: { id: string; version: number },
    draw: () => Promise<Buffer>,
  ) {
    const isKept = cards.find(id, version) !== undefined;
    if (!isKept) await context.limits.take('cardsDrawn', addressKey(request.ip));
    const { png, etag } = await cards.keep(id, version, draw);
    reply.header('etag', etag).header('cache-control', 'public, max-age=600');
    reply.header('cross-origin-resource-policy', 'cross-origin');
    if (isKnownEtag(request.headers['if-none-match'], etag)) return reply.status(304).send();
    return reply.type('image/png').send(png);
  }
};

type SellerRequest = FastifyRequest<{ Params: { handle: string } }>;

async function drawSeller(context: Context, seller: SellerPage): Promise<Buffer> {
  const { picture, handle, ownerId } = seller;
  return context.drawCard({
    id: createHash('sha256').update(ownerId).digest('hex').slice(0, 8),
    name: nameSeller(seller),
    seller: null,
    kind: null,
    price: `${new URL(context.publicUrl).host}/s/${handle}`,
    isPage: true,
    siteName: context.siteName,
    cover: picture && (await readBlob(context.store, picture.blob)),
  });
}

async function draw(context: Context, id: string): Promise<Buffer> {
  const offer = await findOffer(context, id);
  if (!offer) throw notFound();
  const { link, name, seller, price } = offer;
  const kind = putIntoEnglish(nameFormat(faceOf(link)));
  const cover = link.cover === null ? null : await readBlob(context.store, link.cover);
  const { siteName } = context;
  return context.drawCard({ id, name, seller, kind, price, siteName, cover });
}

const notFound = () => new DomainError('NOT_FOUND', 'There is nothing at this address.');

interface KeptCard {
  png: Buffer;
  etag: string;
}

interface Entry {
  version: number;
  card: Promise<KeptCard>;
}

/** A card takes from 30 KB to, with a cover, 700 KB. */
const CAPACITY_BYTES = 24 * 1024 * 1024;

/**
 * Caches the most recently used share pictures by the version of what they show, and draws one at a
 * time, because drawing takes the processor for a while.
 */
export function createCardKeeper() {
  const kept = new ByteBoundedMap<Entry>(CAPACITY_BYTES);
  let last: Promise<unknown> = Promise.resolve();

  /** The card of this version, once it was asked for. */
  function find(id: string, version: number): Promise<KeptCard> | undefined {
    const entry = kept.get(id);
    return entry?.version === version ? entry.card : undefined;
  }

  function begin(draw: () => Promise<Buffer>): Promise<KeptCard> {
    const card = last.then(async () => {
      const png = await draw();
      return { png, etag: `"${createHash('sha256').update(png).digest('base64url')}"` };
    });
    last = card.catch(() => {});
    return card;
  }

  return {
    find,
    /** The card of this version, drawn if there is none. */
    keep(id: string, version: number, draw: () => Promise<Buffer>): Promise<KeptCard> {
      const known = find(id, version);
      if (known !== undefined) return known;
      const entry = { version, card: begin(draw) };
      kept.setSoon(
        id,
        entry,
        entry.card.then(({ png }) => png.length),
      );
      return entry.card;
    },
  };
}
