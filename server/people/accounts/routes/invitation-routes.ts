import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { PageRenderer } from '../../../edge/pages/render-page.ts';
import type { DatabaseContext } from '../../../ground/database/tables.ts';
import { DomainError } from '../../../ground/lib/domain-error.ts';
import type { Signer } from '../../../ground/lib/signer.ts';
import { acceptInvitation, findInvitation, type InvitationTicket } from '../invitations.ts';
import { type AuthContext, callAuth } from './call-auth.ts';

interface Context extends AuthContext, DatabaseContext {
  signer: Signer<InvitationTicket>;
  renderer: PageRenderer;
}

type InvitationRequest = FastifyRequest<{ Params: { token: string } }>;
type WelcomeRequest = FastifyRequest<{ Querystring: { token?: string } }>;

/** Where a new operator goes on. */
const OVERVIEW = '/operator';

/** Where the links lead that invite someone, and the first operator. */
export const invitationRoutes: FastifyPluginAsync<Context> = async (app, context) => {
  const { renderer } = context;
  const limited = { config: { limit: { address: 'personalLinksOpened' } } } as const;

  app.get('/invitations/:token', limited, async (request: InvitationRequest, reply) => {
    const invitation = await findInvitation(context, request.params.token);
    if (!invitation) {
      throw new DomainError(
        'NOT_FOUND',
        'This invitation was used or revoked, or it has expired. Ask the operator of this site for another one.',
      );
    }
    const { user } = await request.viewer();
    if (user?.email === invitation.email) {
      await acceptInvitation(context.db, user, context.now());
      return reply.redirect('/dashboard', 302);
    }
    return renderer.send(request, reply, { name: 'login', data: {}, askedFor: invitation.email });
  });

  app.get('/operator/welcome', limited, async (request: WelcomeRequest, reply) => {
    const { isConfirmed } = await welcome('GET', request, reply);
    return isConfirmed
      ? renderer.send(request, reply, { name: 'login', data: {}, askedFor: '' })
      : renderer.send(request, reply, { name: 'access', data: { step: 'first-operator' } });
  });

  app.post('/operator/welcome', limited, async (request: WelcomeRequest, reply) => {
    const { isMade } = await welcome('POST', request, reply);
    const { token = '' } = request.query;
    const confirmed = `/operator/welcome?${new URLSearchParams({ token, next: OVERVIEW })}`;
    return reply.redirect(isMade ? OVERVIEW : confirmed, 303);
  });

  async function welcome(
    method: 'GET' | 'POST',
    request: WelcomeRequest,
    reply: FastifyReply,
  ): Promise<{ isConfirmed?: boolean; isMade?: boolean }> {
    const query = new URLSearchParams({ token: String(request.query.token ?? '') });
    const answer = await callAuth(context, request, {
      method,
      path: `welcome-operator?${query}`,
    });
    if (answer.code !== null) {
      throw new DomainError(
        'NOT_FOUND',
        'This address was used, is incomplete, or is more than a day old. Restart Padlink, or run “npm run cli -- operator invite”, for another one.',
      );
    }
    reply.header('set-cookie', answer.headers.getSetCookie());
    return JSON.parse(answer.body);
  }
};
