import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { sayRefusal } from '../../edge/http/errors.ts';
import type { RateLimits } from '../../edge/http/rate-limits.ts';
import type { PageRenderer } from '../../edge/pages/render-page.ts';
import type { Database } from '../../ground/database/tables.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import type { Signer } from '../../ground/lib/signer.ts';
import type { ClaimCookie } from '../../selling/access/claim-cookie.ts';
import {
  askForAccessCode,
  findPersonalGrant,
  type GrantTicket,
  hintAtMailbox,
  isGift,
  type Opener,
  openByCode,
  openPersonalLink,
} from './personal-link.ts';

/** What the pages use that emails lead buyers to. */
export interface MailedPageContext<Ticket> {
  db: Database;
  signer: Signer<Ticket>;
  claimCookie: ClaimCookie;
  renderer: PageRenderer;
  limits: RateLimits;
  now: () => number;
}

export type MailedPageRequest<Query = unknown> = FastifyRequest<{
  Params: { token: string };
  Querystring: Query;
}>;

interface Context extends MailedPageContext<GrantTicket> {
  hashCode(grantId: string, code: string): string;
}

const WRONG_CODE =
  'This code is wrong or no longer valid. Please check it, or have a new one sent.';

/** The receipt's personal link: a GET, as mail scanners send it, changes nothing. */
export const accessRoutes: FastifyPluginAsync<Context> = async (app, context) => {
  const { claimCookie, renderer } = context;

  app.get('/access/:token', async (request: MailedPageRequest, reply) => {
    const grant = await findPersonalGrant(context, request.params.token);
    const step = (await isGift(context.db, grant)) ? 'open-gift' : 'open';
    return renderer.send(request, reply, { name: 'access', data: { step } });
  });

  const limited = { config: { limit: { address: 'personalLinksOpened' } } } as const;
  app.post('/access/:token', limited, async (request: MailedPageRequest, reply) => {
    const { token } = request.params;
    const opener = await openerOf(request, reply);
    const { linkId, isOpen } = await openPersonalLink(context, { token, ...opener });
    return reply.redirect(isOpen ? `/p/${linkId}` : `/access/${token}/code`, 303);
  });

  app.get('/access/:token/code', (request: MailedPageRequest, reply) => askForCode(request, reply));

  app.post('/access/:token/code', limited, async (request: MailedPageRequest, reply) => {
    const { token } = request.params;
    const { code } = (request.body as { code?: unknown } | undefined) ?? {};
    try {
      if (typeof code !== 'string') {
        await askForAccessCode(context, token);
        return reply.redirect(`/access/${token}/code?sent=yes`, 303);
      }
      const opener = await openerOf(request, reply);
      const { linkId, isOpen } = await openByCode(context, { token, ...opener, code });
      if (isOpen) return reply.redirect(`/p/${linkId}`, 303);
      throw new DomainError('INVALID_INPUT', WRONG_CODE);
    } catch (error) {
      const refusal = sayRefusal(reply, error, 'RATE_LIMITED', 'INVALID_INPUT');
      return askForCode(request, reply, refusal);
    }
  });

  async function openerOf(request: FastifyRequest, reply: FastifyReply): Promise<Opener> {
    const claimHash = await claimCookie.ensure(request, reply);
    return { claimHash, accountId: (await request.viewer()).user?.id ?? null };
  }

  async function askForCode(
    request: MailedPageRequest,
    reply: FastifyReply,
    refusal?: ReturnType<typeof sayRefusal>,
  ) {
    const email = await hintAtMailbox(context, request.params.token);
    const data = { step: 'code', email } as const;
    return renderer.send(request, reply, { name: 'access', data, ...refusal });
  }
};
