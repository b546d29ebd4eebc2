import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { LINK_ID_PATTERN } from '../../../contract/limits.ts';
import { findLink, readPageVersion } from '../../catalog/links/queries.ts';
import type { MethodsAt } from '../../edge/http/refuse-methods.ts';
import { isGuest, type KeptPageContext, sendKeptPage } from '../../edge/pages/kept-pages.ts';
import { meantAddress } from '../../edge/pages/meant-address.ts';
import { sourceOfVisit } from '../../edge/pages/visit-source.ts';
import type { Database } from '../../ground/database/tables.ts';
import { GUEST, type Viewer } from '../../ground/lib/viewer.ts';
import type { createRefreshCheckout } from '../checkout/refresh-checkout.ts';

interface Context extends Pick<ReturnType<typeof createRefreshCheckout>, 'findOpenCheckout'> {
  db: Database;
  kept: KeptPageContext;
  methodsAt: MethodsAt;
}

type PaywallRequest = FastifyRequest<{
  Params: { id: string };
  Querystring: Record<string, unknown>;
}>;

/** GET /p/{id}: the page on which a link is sold. */
export const paywallPageRoutes: FastifyPluginAsync<Context> = async (
  app,
  { db, kept, methodsAt, findOpenCheckout },
) => {
  app.get('/p/:id', async (request: PaywallRequest, reply) => {
    const { id } = request.params;
    const meant = LINK_ID_PATTERN.test(id) ? null : meantAddress(request.url, methodsAt);
    if (meant !== null) return reply.redirect(meant, 301);
    const from = sourceOfVisit(request.headers, request.query, kept.origin);
    const whenMissing = async () => {
      const link = await findLink(db, id);
      return link && link.taken_down_at !== null ? ({ name: 'taken-down' } as const) : null;
    };
    if (!isGuest(request, kept.personalCookies)) {
      const viewer = await request.viewer();
      if (request.query.preview === 'buyer' && (await isOwner(db, viewer, id))) {
        return kept.renderer.send(request, reply, { name: 'paywall', preview: true }, GUEST);
      }
      // A page that cannot read this says itself what failed.
      const open = await findOpenCheckout(viewer, id).catch(() => null);
      // Whoever came back from the checkout of a gift need not type it again.
      const gift = request.query.gift === undefined ? undefined : (open?.gift ?? undefined);
      return kept.renderer.send(
        request,
        reply,
        { name: 'paywall', from, openCheckout: open !== null, gift, whenMissing },
        viewer,
      );
    }
    return sendKeptPage(
      kept,
      request,
      reply,
      { name: 'paywall', from, whenMissing },
      // A page that cannot be read is not kept: it says itself what failed.
      {
        path: `/p/${id}`,
        from,
        isVersionAll: true,
        readVersion: () => readPageVersion(db, id).catch(() => null),
      },
    );
  });
};

async function isOwner(db: Database, { creatorId }: Viewer, linkId: string): Promise<boolean> {
  return creatorId !== null && (await findLink(db, linkId))?.owner_id === creatorId;
}
