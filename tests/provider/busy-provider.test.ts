import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { forward } from '../errors/provider-proxy.ts';
import { checkOutCart, postForm } from '../factories/cart-steps.ts';
import {
  graphql,
  seeLink,
  sellFile,
  signIn,
  signUp,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { checkOut, payAt } from '../factories/payment.ts';
import { findFreePort } from '../harness/free-port.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { deliverWebhook, stripeOf, webhookEnv } from '../harness/webhook.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const sandboxPort = await findFreePort();
const stripe = stripeOf(sandboxPort);
const pass: Answer = (request, response) =>
  void forward(request, response, sandboxPort, (answer) => answer);
let answer = pass;
const server = createServer((request, response) => answer(request, response));
await once(server.listen(0, '127.0.0.1'), 'listening');
const { port } = server.address() as AddressInfo;
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const isCheckout = ({ method, url }: IncomingMessage) =>
  method === 'POST' && url === '/v1/checkout/sessions';

describeOnSqliteFirst('a provider that has much to do', (database) => {
  const app = useApp({
    database,
    env: webhookEnv(sandboxPort),
    overrides: { providerUrl: `http://127.0.0.1:${port}` },
  });
  let id: string;
  beforeAll(async () => {
    ({ id } = await sellFile(await signUp(app)));
  });
  beforeEach(() => {
    answer = pass;
  });

  test.each([
    [429, 'rate_limit'],
    [503, 'api_error'],
  ])(
    'and answers a checkout with %i twice is asked again, and the buyer sees nothing of it',
    async (status, type) => {
      let refused = 0;
      answer = (request, response) => {
        if (!isCheckout(request) || refused === 2) return pass(request, response);
        refused += 1;
        request.resume();
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: { type, message: 'Too many.' } }));
      };
      const buyer = createPerson(app);
      expect((await payAt(buyer, await checkOut(buyer, id))).status).toBe(303);
      expect(refused).toBe(2);
      await waitUntilUnlocked(buyer, id);
    },
  );

  test('and refuses the checkout of a cart keeps back nothing of it that is free', async () => {
    const seller = await signUp(app);
    const [free, paid] = [await sellFile(seller), await sellFile(seller)];
    await graphql(
      seller,
      'mutation ($input: CreateDiscountInput!) { createDiscount(input: $input) }',
      { input: { code: 'GIVEN', percent: 100, links: [free.id] } },
    );
    const buyer = createPerson(app);
    await postForm(buyer, '/cart/add', { paywallId: free.id, code: 'GIVEN' });
    await postForm(buyer, '/cart/add', { paywallId: paid.id });
    answer = (request, response) => {
      if (!isCheckout(request)) return pass(request, response);
      request.resume();
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { type: 'invalid_request_error', message: 'No.' } }));
    };
    const refused = await checkOutCart(buyer);
    expect(refused.status).toBe(502);
    expect(await refused.text()).toContain('What was free is among your purchases.');
    expect((await seeLink(buyer, free.id))?.unlocked).toBe(true);
    answer = pass;
    await payAt(buyer, (await checkOutCart(buyer)).headers.get('location') ?? '');
    await waitUntilUnlocked(buyer, paid.id);
  });

  /** Signing in, so that the checkout that was begun as a guest has to end, of which this is told. */
  async function signInMeanwhile(
    buyer: Person,
    meanwhile: (sessionId: string) => Promise<unknown>,
  ) {
    const { email } = await signUp(app);
    await signIn(buyer, email);
    const told: string[] = [];
    answer = async (request, response) => {
      const [, ended] = /^\/v1\/checkout\/sessions\/(\w+)\/expire$/.exec(request.url ?? '') ?? [];
      if (ended) {
        told.push(ended);
        await meanwhile(ended);
      }
      pass(request, response);
    };
    return told;
  }

  test('and has just ended a checkout for somebody else lets the next one begin', async () => {
    const buyer = createPerson(app);
    await checkOut(buyer, id);
    const told = await signInMeanwhile(buyer, (ended) => stripe.checkout.sessions.expire(ended));
    expect((await payAt(buyer, await checkOut(buyer, id))).status).toBe(303);
    expect(told).toHaveLength(1);
    await waitUntilUnlocked(buyer, id);
  });

  test('and has just taken the payment of a checkout begins no other', async () => {
    const buyer = createPerson(app);
    const first = await checkOut(buyer, id);
    const told = await signInMeanwhile(buyer, () => payAt(buyer, first));
    expect(await checkOut(buyer, id)).toBe(`${app.origin}/p/${id}`);
    expect(told).toHaveLength(1);
    await waitUntilUnlocked(buyer, id);
  });

  test.each([
    { title: 'with one call', listed: 100, isPaged: false },
    { title: 'beyond the newest ones', listed: 1, isPaged: true },
  ])('is asked about many payments $title', async ({ listed, isPaged }) => {
    await stripe.webhookEndpoints.update('we_sandbox', { disabled: true });
    const buyers = Array.from({ length: 5 }, () => createPerson(app));
    for (const buyer of buyers) await payAt(buyer, await checkOut(buyer, id));
    const type = 'checkout.session.completed';
    const events = (await stripe.events.list({ type, limit: buyers.length })).data;
    // Whoever is asked about alone waits until the others were asked about together.
    const waiting: (() => void)[] = [];
    /** Of the first pages of lists. */
    const limits: number[] = [];
    let pages = 0;
    answer = (request, response) => {
      const goOn = () => pass(request, response);
      if (request.url?.startsWith('/v1/events')) {
        pages += 1;
        if (!request.url.includes('starting_after')) {
          request.url = request.url.replace(/\blimit=(\d+)/, (_limit, events) => {
            limits.push(Number(events));
            return `limit=${listed}`;
          });
        }
      }
      if (pages > 0) for (const release of waiting.splice(0)) release();
      const isAlone = request.url?.startsWith('/v1/checkout/sessions/');
      if (isAlone && pages === 0) waiting.push(goOn);
      else goOn();
    };
    await Promise.all(events.map((event) => deliverWebhook(app, event)));
    for (const buyer of buyers) await waitUntilUnlocked(buyer, id);
    expect(limits.length).toBeGreaterThan(0);
    expect(Math.max(...limits)).toBeLessThan(100);
    expect(pages > limits.length).toBe(isPaged);
    await stripe.webhookEndpoints.update('we_sandbox', { disabled: false });
  });
});
