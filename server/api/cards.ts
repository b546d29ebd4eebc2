import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '../domain/domain-error.ts';
import type { FileStore } from '../domain/files/file-store.ts';
import type { DrawCard } from '../domain/links/card.ts';
import { readPageVersion } from '../domain/links/read-page-version.ts';
import { createCardKeeper } from './cards/keep-cards.ts';
import { findOffer } from './find-offer.ts';
import { isKnownEtag } from './is-known-etag.ts';
import type { LinkReaders } from './present-link.ts';
import { addressKey } from './rate-limits.ts';
import { readBlob } from './read-blob.ts';

interface Deps {
  readers: LinkReaders;
  store: Pick<FileStore, 'openForReading' | 'sizeOf'>;
  drawCard: DrawCard;
  /** @throws RateLimited when an address has cards drawn in a flood */
  allowDrawing(address: string): Promise<unknown>;
}

/** GET /p/{id}/card.png: the picture of a link that other sites show. */
export function registerCards(app: FastifyInstance, deps: Deps): void {
  const cards = createCardKeeper();
  app.get('/p/:id/card.png', async (request: FastifyRequest<{ Params: { id: string } }>, reply) => {
    const { id } = request.params;
    const version = await readPageVersion(deps.readers.db, id);
    if (version === null) throw notFound();
    const isKept = cards.find(id, version) !== undefined;
    if (!isKept) await deps.allowDrawing(addressKey(request.ip));
    const { png, etag } = await cards.keep(id, version, () => draw(deps, id));
    reply.header('etag', etag).header('cache-control', 'public, max-age=600');
    reply.header('cross-origin-resource-policy', 'cross-origin');
    if (isKnownEtag(request.headers['if-none-match'], etag)) return reply.status(304).send();
    return reply.type('image/png').send(png);
  });
}

async function draw({ readers, store, drawCard }: Deps, id: string): Promise<Buffer> {
  const offer = await findOffer(readers, id);
  if (!offer) throw notFound();
  const { link, name, seller, price } = offer;
  const cover = link.cover === null ? null : await readBlob(store, link.cover);
  return drawCard({ id, name, seller, price, cover });
}

const notFound = () => new DomainError('NOT_FOUND', 'There is no link at this address.');
