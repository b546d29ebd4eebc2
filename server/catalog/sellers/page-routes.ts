import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { MethodsAt } from '../../edge/http/refuse-methods.ts';
import { type KeptPageContext, sendKeptPage } from '../../edge/pages/kept-pages.ts';
import { meantAddress } from '../../edge/pages/meant-address.ts';
import type { Database } from '../../ground/database/tables.ts';
import { findShortLink } from '../links/short-names.ts';
import { findSellerPage, readSellerPageVersion } from './queries.ts';

interface Context {
  db: Database;
  kept: KeptPageContext;
  methodsAt: MethodsAt;
}

type SellerRequest = FastifyRequest<{ Params: { handle: string } }>;
type ShortRequest = FastifyRequest<{ Params: { handle: string; name: string } }>;

/** GET /s/{handle}, the page of a seller, and /s/{handle}/{name}, the short address of a link. */
export const sellerPageRoutes: FastifyPluginAsync<Context> = async (
  app,
  { db, kept, methodsAt },
) => {
  app.get('/s/:handle', async (request: SellerRequest, reply) => {
    const { handle } = request.params;
    const seller = await findSellerPage(db, handle);
    const meant = seller ? null : meantAddress(request.url, methodsAt);
    if (meant !== null) return reply.redirect(meant, 301);
    if (!seller) return kept.renderer.send(request, reply, { name: 'not-found', status: 404 });
    const path = `/s/${seller.handle}`;
    if (seller.handle !== handle) {
      // Not for ever: one day, the address may be somebody else's.
      return reply.header('cache-control', 'no-cache').redirect(path + searchOf(request), 308);
    }
    return sendKeptPage(
      kept,
      request,
      reply,
      { name: 'seller' },
      { path, readVersion: () => readSellerPageVersion(db, seller) },
    );
  });
  app.get('/s/:handle/:name', async (request: ShortRequest, reply) => {
    const { handle, name } = request.params;
    const seller = await findSellerPage(db, handle);
    const id = seller && (await findShortLink(db, seller.ownerId, name));
    const meant = id ? null : meantAddress(request.url, methodsAt);
    if (meant !== null) return reply.redirect(meant, 301);
    if (!id) return kept.renderer.send(request, reply, { name: 'not-found', status: 404 });
    // One day, the address may lead to another link.
    return reply.header('cache-control', 'no-cache').redirect(`/p/${id}${searchOf(request)}`, 302);
  });
};

const searchOf = ({ url }: FastifyRequest) => url.slice(url.split('?', 1)[0]?.length);
