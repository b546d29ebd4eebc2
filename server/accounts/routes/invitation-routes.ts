import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Database } from '../../database/tables.ts';
import { DomainError } from '../../lib/domain-error.ts';
import type { Signer } from '../../lib/signer.ts';
import type { PageRenderer } from '../../pages/render-page.ts';
import { acceptInvitation, findInvitation, type InvitationTicket } from '../invitations.ts';
import { type AuthHandler, callAuth } from './call-auth.ts';

interface Context {
  db: Database;
  auth: AuthHandler;
  /** Origin without a trailing slash. */
  publicUrl: string;
  signer: Signer<InvitationTicket>;
  renderer: PageRenderer;
  now: () => number;
}

type InvitationRequest = FastifyRequest<{ Params: { token: string } }>;
type WelcomeRequest = FastifyRequest<{ Querystring: { token?: string } }>;

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
    return renderer.send(request, reply, { name: 'login', askedFor: invitation.email });
  });

  app.get('/operator/welcome', limited, async (request: WelcomeRequest, reply) => {
    const query = new URLSearchParams({ token: String(request.query.token ?? '') });
    const path = `welcome-operator?${query}`;
    const answer = await callAuth(context.auth, context.publicUrl, request, {
      method: 'GET',
      path,
    });
    if (answer.code !== null) {
      throw new DomainError(
        'NOT_FOUND',
        'This address was used or is incomplete. Copy all of it from the message of the last start.',
      );
    }
    const { isMade }: { isMade: boolean } = JSON.parse(answer.body);
    if (isMade) return reply.redirect('/dashboard', 302);
    reply.header('set-cookie', answer.headers.getSetCookie());
    return renderer.send(request, reply, { name: 'login', askedFor: '' });
  });
};
