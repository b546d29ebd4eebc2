import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '../domain/domain-error.ts';
import {
  BROKEN_PERSONAL_LINK,
  openPersonalLink,
  type PersonalTicket,
} from '../domain/purchases/personal-link.ts';
import type { Signer } from '../domain/signer.ts';
import type { Database } from '../domain/tables.ts';
import type { ClaimCookie } from './claim-cookie.ts';
import { toProblem } from './error-mapping.ts';
import type { PageRenderer } from './pages/render-page.ts';

interface Deps {
  db: Database;
  signer: Signer<PersonalTicket>;
  claimCookie: ClaimCookie;
  renderer: PageRenderer;
}

type AccessRequest = FastifyRequest<{ Params: { token: string } }>;

/** The receipt's personal link: a GET, as mail scanners send it, changes nothing. */
export function registerAccess(app: FastifyInstance, deps: Deps): void {
  const { db, signer, claimCookie, renderer } = deps;

  app.get('/access/:token', async (request: AccessRequest, reply) => {
    const known = signer.read(request.params.token) !== null;
    if (known) return renderer.send(request, reply, { name: 'access' });
    return renderer.send(request, reply, {
      name: 'access',
      status: 404,
      error: BROKEN_PERSONAL_LINK,
    });
  });

  app.post('/access/:token', async (request: AccessRequest, reply) => {
    const claimHash = await claimCookie.ensure(request, reply);
    try {
      const linkId = await openPersonalLink(db, signer, request.params.token, claimHash);
      return reply.redirect(`/p/${linkId}`, 303);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const { status, detail } = toProblem(error);
      return renderer.send(request, reply, { name: 'access', status, error: detail });
    }
  });
}
