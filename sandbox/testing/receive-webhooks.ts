import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Stripe from 'stripe';
import { onTestFinished, vi } from 'vitest';

export const WEBHOOK_SECRET = 'whsec_test';

/** What the product would be to the sandbox: it checks signatures and answers. */
export async function receiveWebhooks() {
  const received: Stripe.Event[] = [];
  const answers = { status: 200 };
  const server = createServer(async (request, response) => {
    const signature = String(request.headers['stripe-signature']);
    received.push(Stripe.webhooks.constructEvent(await text(request), signature, WEBHOOK_SECRET));
    response.writeHead(answers.status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/stripe`,
    received,
    /** The status that is answered from now on. */
    answerWith(status: number) {
      answers.status = status;
    },
    types: () => received.map((event) => event.type).sort(),
    /** The first event of a type, as soon as it has arrived. */
    arrivalOf<T extends Stripe.Event['type']>(type: T) {
      return vi.waitFor(
        () => {
          const event = received.find((candidate) => candidate.type === type);
          if (!event)
            throw new Error(`${type} has not arrived; only ${received.map((e) => e.type)}`);
          return event as Extract<Stripe.Event, { type: T }>;
        },
        { timeout: 60_000, interval: 10 },
      );
    },
  };
}
