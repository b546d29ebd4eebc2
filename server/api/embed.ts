import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../domain/domain-error.ts';
import { findOffer } from './find-offer.ts';
import type { LinkReaders } from './present-link.ts';

/**
 * What a creator's own site uses: GET /embed.js makes buttons of links (docs/embedding.md), GET
 * /p/{id}/offer.json tells it title and price.
 */
export async function registerEmbed(app: FastifyInstance, readers: LinkReaders): Promise<void> {
  const script = await readFile(new URL('embed/button.js', import.meta.url));

  app.get('/embed.js', (_request, reply) => {
    openToAll(reply, 3_600);
    return reply.type('text/javascript; charset=utf-8').send(script);
  });

  app.get(
    '/p/:id/offer.json',
    async (request: FastifyRequest<{ Params: { id: string } }>, reply) => {
      const offer = await findOffer(readers, request.params.id);
      openToAll(reply, 60);
      if (!offer) throw new DomainError('NOT_FOUND', 'There is no link at this address.');
      return reply.send({ title: offer.name, price: offer.price });
    },
  );
}

/** For pages of every site, which bring no cookies: what is told is public. */
function openToAll(reply: FastifyReply, seconds: number): void {
  reply.header('access-control-allow-origin', '*');
  reply.header('cross-origin-resource-policy', 'cross-origin');
  reply.header('cache-control', `public, max-age=${seconds}`);
}
