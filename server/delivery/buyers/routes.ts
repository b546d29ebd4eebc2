import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { setRetryAfter, toProblem } from '../../edge/http/errors.ts';
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
  openByCode,
  openPersonalLink,
} from './personal-link.ts';

interface Context {
  db: Database;
  signer: Signer<GrantTicket>;
  claimCookie: ClaimCookie;
  renderer: PageRenderer;
  limits: RateLimits;
  hashCode(grantId: string, code: string): string;
  now: () => number;
}

type AccessRequest = FastifyRequest<{ Params: { token: string } }>;

const WRONG_CODE =
  'This code is not right, or it is no longer valid. Please check it, or have a new one sent.';

/** The receipt's personal link: a GET, as mail scanners send it, changes nothing. */
export const accessRoutes: FastifyPluginAsync<Context> = async (app, context) => {
  const { claimCookie, renderer } = context;

  app.get('/access/:token', async (request: AccessRequest, reply) => {
    const grant = await findPersonalGrant(context, request.params.token);
    const step = (await isGift(context.db, grant)) ? 'open-gift' : 'open';
    return renderer.send(request, reply, { name: 'access', data: { step } });
  });

  const limited = { config: { limit: { address: 'personalLinksOpened' } } } as const;
  app.post('/access/:token', limited, async (request: AccessRequest, reply) => {
    const claimHash = await claimCookie.ensure(request, reply);
    const { token } = request.params;
    const accountId = (await request.viewer()).user?.id ?? null;
    const { linkId, isOpen } = await openPersonalLink(context, { token, claimHash, accountId });
    return reply.redirect(isOpen ? `/p/${linkId}` : `/access/${token}/code`, 303);
  });

  app.get('/access/:token/code', (request: AccessRequest, reply) => askForCode(request, reply));

  app.post('/access/:token/code', limited, async (request: AccessRequest, reply) => {
    const { token } = request.params;
    const { code } = (request.body as { code?: unknown } | undefined) ?? {};
    try {
      if (typeof code !== 'string') {
        await askForAccessCode(context, token);
        return reply.redirect(`/access/${token}/code?sent=yes`, 303);
      }
      const claimHash = await claimCookie.ensure(request, reply);
      const accountId = (await request.viewer()).user?.id ?? null;
      const opener = { token, claimHash, accountId };
      const { linkId, isOpen } = await openByCode(context, { ...opener, code });
      if (isOpen) return reply.redirect(`/p/${linkId}`, 303);
      throw new DomainError('INVALID_INPUT', WRONG_CODE);
    } catch (error) {
      const { code: refusal } = toProblem(error);
      if (refusal !== 'RATE_LIMITED' && refusal !== 'INVALID_INPUT') throw error;
      setRetryAfter(reply, error);
      return askForCode(request, reply, error);
    }
  });

  async function askForCode(request: AccessRequest, reply: FastifyReply, error?: unknown) {
    const email = await hintAtMailbox(context, request.params.token);
    const { status, said } = error ? toProblem(error) : { status: 200 };
    return renderer.send(request, reply, {
      name: 'access',
      data: { step: 'code', email },
      status,
      ...(said !== undefined && { error: said }),
    });
  }
};
