import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Stripe from 'stripe';
import { onTestFinished, vi } from 'vitest';

export const WEBHOOK_SECRETS = {
  platform: 'whsec_of_the_platform',
  connected: 'whsec_of_connected_accounts',
  thin: 'whsec_of_thin_events',
};

const stripe = new Stripe('sk_test_never_used');

/** What the product would be to the sandbox: it checks signatures and answers. */
export async function receiveWebhooks() {
  const received: Stripe.Event[] = [];
  const thin: Stripe.V2.Core.EventNotification[] = [];
  const answers = { status: 200 };

  function take(body: string, signature: string): void {
    const { object, account } = JSON.parse(body);
    if (object === 'v2.core.event') {
      thin.push(stripe.parseEventNotification(body, signature, WEBHOOK_SECRETS.thin));
      return;
    }
    const secret = account ? WEBHOOK_SECRETS.connected : WEBHOOK_SECRETS.platform;
    received.push(stripe.webhooks.constructEvent(body, signature, secret));
  }

  const server = createServer(async (request, response) => {
    take(await text(request), String(request.headers['stripe-signature']));
    response.writeHead(answers.status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });

  function arrivalIn<Event extends { type: string }>(events: Event[], type: string) {
    return vi.waitFor(
      () => {
        const event = events.find((candidate) => candidate.type === type);
        if (!event) throw new Error(`${type} has not arrived; only ${events.map((e) => e.type)}`);
        return event;
      },
      { timeout: 120_000, interval: 10 },
    );
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/stripe`,
    received,
    /** The status that is answered from now on. */
    answerWith(status: number) {
      answers.status = status;
    },
    types: () => received.map((event) => event.type).sort(),
    /** The first event of a type, as soon as it has arrived. */
    arrivalOf: <T extends Stripe.Event['type']>(type: T) =>
      arrivalIn(received, type) as Promise<Extract<Stripe.Event, { type: T }>>,
    /** The first thin event of a type, as soon as it has arrived. */
    thinArrivalOf: <T extends Stripe.V2.Core.EventNotification['type']>(type: T) =>
      arrivalIn(thin, type) as Promise<Extract<Stripe.V2.Core.EventNotification, { type: T }>>,
  };
}
