import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { setRetryAfter, toProblem } from '../../edge/http/errors.ts';
import type { RateLimits } from '../../edge/http/rate-limits.ts';
import type { PageRenderer } from '../../edge/pages/render-page.ts';
import type { Database } from '../../ground/database/tables.ts';
import type { Signer } from '../../ground/lib/signer.ts';
import { findGivenGift, type GiftTicket, sendGiftAgain } from './given-gift.ts';

interface Context {
  db: Database;
  signer: Signer<GiftTicket>;
  renderer: PageRenderer;
  limits: RateLimits;
  now: () => number;
}

type GiftRequest = FastifyRequest<{ Params: { token: string }; Querystring: { sent?: string } }>;

/** Where the buyer of a gift looks after it: the receipt leads there. */
export const giftRoutes: FastifyPluginAsync<Context> = async (app, context) => {
  app.get('/gifts/:token', (request: GiftRequest, reply) => show(request, reply));

  const limited = { config: { limit: { address: 'receiptsAsked' } } } as const;
  app.post('/gifts/:token', limited, async (request: GiftRequest, reply) => {
    const { token } = request.params;
    const { email = '' } = (request.body as { email?: string } | undefined) ?? {};
    const address = `${email}`;
    try {
      await sendGiftAgain(context, { token, address });
    } catch (error) {
      const { code } = toProblem(error);
      if (code !== 'GIFT_REFUSED' && code !== 'RATE_LIMITED') throw error;
      setRetryAfter(reply, error);
      return show(request, reply, { error, typed: address });
    }
    return reply.redirect(`/gifts/${token}?sent=yes`, 303);
  });

  async function show(
    request: GiftRequest,
    reply: FastifyReply,
    refused?: { error: unknown; typed: string },
  ): Promise<FastifyReply> {
    const { purchaseId: _, ...gift } = await findGivenGift(context, request.params.token);
    const { status, said } = refused ? toProblem(refused.error) : { status: 200 };
    const isSent = request.method === 'GET' && request.query.sent !== undefined;
    return context.renderer.send(request, reply, {
      name: 'access',
      data: { step: 'gift', ...gift, typed: refused?.typed ?? gift.email, isSent },
      status,
      ...(said !== undefined && { error: said }),
    });
  }
};
