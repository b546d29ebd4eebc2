import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { sayRefusal } from '../../edge/http/errors.ts';
import type { ReviewContext } from '../../money/payments/review-payment.ts';
import { findReturn, type ReturnTicket, returnPurchase } from './return-purchase.ts';
import type { MailedPageContext, MailedPageRequest } from './routes.ts';

type Context = ReviewContext & MailedPageContext<ReturnTicket>;

/**
 * Where a buyer gives back what they had bought before: the receipt leads there. A GET, as mail
 * scanners send it, changes nothing.
 */
export const returnRoutes: FastifyPluginAsync<Context> = async (app, context) => {
  app.get('/returns/:token', (request: MailedPageRequest, reply) => show(request, reply));

  const limited = { config: { limit: { address: 'receiptsAsked' } } } as const;
  app.post('/returns/:token', limited, async (request: MailedPageRequest, reply) => {
    const { token } = request.params;
    // Before a cookie is set for it.
    await findReturn(context, token);
    const claimHash = await context.claimCookie.ensure(request, reply);
    try {
      await returnPurchase(context, { token, claimHash });
    } catch (error) {
      return show(request, reply, sayRefusal(reply, error, 'REFUND_REFUSED', 'RATE_LIMITED'));
    }
    return reply.redirect(`/returns/${token}`, 303);
  });

  async function show(
    request: MailedPageRequest,
    reply: FastifyReply,
    refusal?: ReturnType<typeof sayRefusal>,
  ): Promise<FastifyReply> {
    const found = await findReturn(context, request.params.token);
    const data = { step: 'return', ...found } as const;
    return context.renderer.send(request, reply, { name: 'access', data, ...refusal });
  }
};
