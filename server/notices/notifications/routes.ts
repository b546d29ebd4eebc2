import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { PageRenderer } from '../../edge/pages/render-page.ts';
import type { DatabaseContext } from '../../ground/database/tables.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { endSellerMails, type SellerSigner } from './choice.ts';

interface Context extends DatabaseContext {
  signer: SellerSigner;
  renderer: PageRenderer;
}

type StopRequest = FastifyRequest<{ Params: { token: string } }>;

/**
 * Ends emails to a seller, who need not be signed in. A GET, as mail scanners send it, changes
 * nothing; a POST, as mail programs send it for List-Unsubscribe, ends them.
 */
export const notificationRoutes: FastifyPluginAsync<Context> = async (app, context) => {
  const { db, renderer, now } = context;

  // Mail programs send a form of either kind: the address says everything.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, parsed) => parsed(null));

  app.get('/notifications/:token', async (request: StopRequest, reply) => {
    const { about } = readTicket(request.params.token);
    return renderer.send(request, reply, { name: 'access', data: { step: `stop-${about}` } });
  });

  const limited = { config: { limit: { address: 'personalLinksOpened' } } } as const;
  app.post('/notifications/:token', limited, async (request: StopRequest, reply) => {
    const ticket = readTicket(request.params.token);
    await endSellerMails(db, ticket, now());
    const data = { step: `stop-${ticket.about}`, isChanged: true } as const;
    return renderer.send(request, reply, { name: 'access', data });
  });

  function readTicket(token: string) {
    const ticket = context.signer.read(token);
    if (ticket) return ticket;
    const why = 'This link is incomplete. Copy all of it from your email.';
    throw new DomainError('ACCESS_LINK_INVALID', why);
  }
};
