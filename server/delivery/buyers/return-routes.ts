import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { setRetryAfter, toProblem } from '../../edge/http/errors.ts';
import type { RateLimits } from '../../edge/http/rate-limits.ts';
import type { PageRenderer } from '../../edge/pages/render-page.ts';
import type { Signer } from '../../ground/lib/signer.ts';
import type { ReviewContext } from '../../money/payments/review-payment.ts';
import type { ClaimCookie } from '../../selling/access/claim-cookie.ts';
import { findReturn, type ReturnTicket, returnPurchase } from './return-purchase.ts';

interface Context extends ReviewContext {
  signer: Signer<ReturnTicket>;
  claimCookie: ClaimCookie;
  renderer: PageRenderer;
  limits: RateLimits;
}

type ReturnRequest = FastifyRequest<{ Params: { token: string } }>;

/**
 * Where a buyer gives back what they had bought before: the receipt leads there. A GET, as mail
 * scanners send it, changes nothing.
 */
export const returnRoutes: FastifyPluginAsync<Context> = async (app, context) => {
  app.get('/returns/:token', (request: ReturnRequest, reply) => show(request, reply));

  const limited = { config: { limit: { address: 'receiptsAsked' } } } as const;
  app.post('/returns/:token', limited, async (request: ReturnRequest, reply) => {
    const { token } = request.params;
    // Before a cookie is set for it.
    await findReturn(context, token);
    const claimHash = await context.claimCookie.ensure(request, reply);
    try {
      await returnPurchase(context, { token, claimHash });
    } catch (error) {
      const { code } = toProblem(error);
      if (code !== 'REFUND_REFUSED' && code !== 'RATE_LIMITED') throw error;
      setRetryAfter(reply, error);
      return show(request, reply, error);
    }
    return reply.redirect(`/returns/${token}`, 303);
  });

  async function show(
    request: ReturnRequest,
    reply: FastifyReply,
    refused?: unknown,
  ): Promise<FastifyReply> {
    const data = await findReturn(context, request.params.token);
    const { status, said } = refused ? toProblem(refused) : { status: 200 };
    return context.renderer.send(request, reply, {
      name: 'access',
      data: { step: 'return', ...data },
      status,
      ...(said !== undefined && { error: said }),
    });
  }
};
