import type { FastifyPluginAsync } from 'fastify';
import type { ApiCall } from '../../edge/http/describe-calls.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { receiveWebhook, type VerifyWebhook, type WebhookContext } from './receive-webhook.ts';

interface Context extends WebhookContext {
  verifyWebhook: VerifyWebhook;
}

/** The provider's largest events stay well below this. */
const MAX_EVENT_BYTES = 512 * 1024;

/** POST /webhooks/stripe: no 2xx before an event that matters is committed to the inbox. */
const CALL: ApiCall = {
  name: 'receiveProviderEvent',
  summary: 'For the payment provider alone, which signs what it sends.',
  body: 'application/json',
  answers: { 200: { says: 'It is kept, or means nothing here.' } },
};

export const webhookRoutes: FastifyPluginAsync<Context> = async (app, context) => {
  // The signature covers the bytes as they came.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: MAX_EVENT_BYTES },
    async (_request: unknown, body: Buffer) => body,
  );
  app.post('/webhooks/stripe', { config: { api: CALL } }, async (request, reply) => {
    const { 'stripe-signature': signature = '' } = request.headers;
    const { body } = request;
    if (!Buffer.isBuffer(body)) throw new DomainError('INVALID_INPUT', 'The body is missing.');
    const verified = context.verifyWebhook(body, String(signature));
    if (verified.kind === 'forged') {
      throw new DomainError('INVALID_INPUT', 'The signature is invalid.');
    }
    if (verified.kind === 'unreadable') {
      throw new DomainError('INVALID_INPUT', 'The signature is valid, but the body is no event.');
    }
    if (verified.kind === 'stale') {
      throw new DomainError(
        'INVALID_INPUT',
        `The signature is valid, but ${verified.ageSeconds} seconds old by this server's clock. Set the clock and send the event again.`,
      );
    }
    if (verified.kind === 'event') {
      await receiveWebhook(context, verified.event);
    }
    return reply.send({ received: true });
  });
};
