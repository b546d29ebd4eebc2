import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { sayRefusal } from '../../edge/http/errors.ts';
import { findGivenGift, type GiftTicket, sendGiftAgain } from './given-gift.ts';
import type { MailedPageContext, MailedPageRequest } from './routes.ts';

type Context = Omit<MailedPageContext<GiftTicket>, 'claimCookie'>;
type GiftRequest = MailedPageRequest<{ sent?: string }>;

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
      const refusal = sayRefusal(reply, error, 'GIFT_REFUSED', 'RATE_LIMITED');
      return show(request, reply, { ...refusal, typed: address });
    }
    return reply.redirect(`/gifts/${token}?sent=yes`, 303);
  });

  async function show(
    request: GiftRequest,
    reply: FastifyReply,
    refused: Partial<ReturnType<typeof sayRefusal>> & { typed?: string } = {},
  ): Promise<FastifyReply> {
    const { purchaseId: _, ...gift } = await findGivenGift(context, request.params.token);
    const { typed = gift.email, ...refusal } = refused;
    const isSent = request.method === 'GET' && request.query.sent !== undefined;
    const data = { step: 'gift', ...gift, typed, isSent } as const;
    return context.renderer.send(request, reply, { name: 'access', data, ...refusal });
  }
};
