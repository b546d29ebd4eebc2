import type { FastifyInstance } from 'fastify';
import { DomainError } from '../domain/domain-error.ts';
import { type ProviderEvent, receiveWebhook } from '../domain/purchases/receive-webhook.ts';
import type { Database } from '../domain/tables.ts';

interface Deps {
  db: Database;
  verifyWebhook(body: Buffer, signature: string): ProviderEvent | null;
  /** Told once an event is stored. */
  stored(): void;
  now: () => number;
}

/** The provider's largest events stay well below this. */
const MAX_EVENT_BYTES = 512 * 1024;

/** POST /webhooks/stripe: no 2xx before the event is committed to the inbox. */
export function registerWebhooks(app: FastifyInstance, deps: Deps): void {
  app.register((scope, _options, registered) => {
    // The signature covers the bytes as they came.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: MAX_EVENT_BYTES },
      (_request, body, done) => done(null, body),
    );
    scope.post('/webhooks/stripe', async (request, reply) => {
      const signature = request.headers['stripe-signature'];
      const body = request.body;
      const event =
        typeof signature === 'string' && Buffer.isBuffer(body)
          ? deps.verifyWebhook(body, signature)
          : null;
      if (!event) {
        throw new DomainError('INVALID_INPUT', 'The signature is missing, wrong or too old.');
      }
      await receiveWebhook(deps.db, event, deps.now());
      deps.stored();
      return reply.send({ received: true });
    });
    registered();
  });
}
