import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Database } from '../database/tables.ts';
import type { Signer } from '../lib/signer.ts';
import type { PageRenderer } from '../pages/render-page.ts';
import type { ClaimCookie } from '../viewer/claim-cookie.ts';
import { findPersonalGrant, openPersonalLink, type PersonalTicket } from './personal-link.ts';

interface Context {
  db: Database;
  signer: Signer<PersonalTicket>;
  claimCookie: ClaimCookie;
  renderer: PageRenderer;
  now: () => number;
}

type AccessRequest = FastifyRequest<{ Params: { token: string } }>;

/** The receipt's personal link: a GET, as mail scanners send it, changes nothing. */
export const accessRoutes: FastifyPluginAsync<Context> = async (app, context) => {
  const { claimCookie, renderer } = context;

  app.get('/access/:token', async (request: AccessRequest, reply) => {
    await findPersonalGrant(context, request.params.token);
    return renderer.send(request, reply, { name: 'access', data: { step: 'open' } });
  });

  const limited = { config: { limit: { address: 'personalLinksOpened' } } } as const;
  app.post('/access/:token', limited, async (request: AccessRequest, reply) => {
    const claimHash = await claimCookie.ensure(request, reply);
    const { token } = request.params;
    const linkId = await openPersonalLink(context, { token, claimHash });
    return reply.redirect(`/p/${linkId}`, 303);
  });
};
