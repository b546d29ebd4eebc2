import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type Stripe from 'stripe';
import { WebSocket } from 'ws';
import { createLink, publishableKey, readBalance, signUp } from '../tests/factories/factories.ts';
import { checkOut, payAt } from '../tests/factories/payment.ts';
import { findFreePort } from '../tests/harness/free-port.ts';
import { createPersonAt, type Person } from '../tests/harness/person.ts';
import { deliverWebhook, stripeOf, webhookEnv } from '../tests/harness/webhook.ts';
import { openFolder } from './open-folder.ts';
import { describeMachine } from './report.ts';
import { startPadlink } from './start-padlink.ts';

const TARGET_MS = 100;
const TARGET_EVENTS = 300;
/** Buyers with an open tab, one after the other. */
const TABS = 40;
/** Payments whose events arrive together, so many at a time. */
const PAYMENTS = 300;
const AT_ONCE = 16;
const PRICE_CENTS = 500;
/** What is left of the price after the fee. */
const NET_CENTS = 445;

const ON_UPDATE = 'subscription ($id: ID) { onUpdatePaywallLink(id: $id) { unlocked } }';

type Shop = {
  padlink: { origin: string };
  stripe: Stripe;
  linkId: string;
};

/** How soon a payment reaches the buyer's open tab, and how many events are worked off. */
export async function reportWebhooks(): Promise<string> {
  using folder = openFolder();
  const sandboxPort = await findFreePort();
  const env = { ...webhookEnv(sandboxPort), TRUSTED_PROXIES: '127.0.0.1' };
  await using padlink = await startPadlink(folder.path, env);
  const seller = await signUp(padlink);
  const link = { type: 'link', url: 'https://example.com/', price: PRICE_CENTS };
  const { id: linkId } = await createLink(seller, link);
  const stripe = stripeOf(sandboxPort);
  const [endpoint] = (await stripe.webhookEndpoints.list()).data;
  // The sandbox tells nothing by itself: the events are sent when the clock is looked at.
  await stripe.webhookEndpoints.update(endpoint?.id ?? '', { disabled: true });
  const shop = { padlink, stripe, linkId };
  const waits: number[] = [];
  for (let tab = 0; tab < TABS; tab += 1) waits.push(await measureTab(shop, tab));
  const median = waits.toSorted((one, other) => one - other)[waits.length >> 1] ?? 0;
  const rate = await measureRate(shop, seller);
  const isMet = median <= TARGET_MS && rate >= TARGET_EVENTS;
  return `## From a webhook to the buyer

From the moment a payment's webhook is sent until the buyer's open tab is told over its live connection that the link is unlocked: median of ${TABS} payments ${median.toFixed(0)} ms; target at most ${TARGET_MS} ms. ${PAYMENTS} payments whose events arrive together, ${AT_ONCE} at a time, are settled, granted and booked at ${rate.toFixed(0)} events/s; target at least ${TARGET_EVENTS}. Both: ${isMet ? 'met' : 'missed'}.

${describeMachine()}
`;
}

/** @returns milliseconds from the webhook to the open tab */
async function measureTab(shop: Shop, number: number): Promise<number> {
  const { padlink, linkId } = shop;
  const buyer = buyerOf(shop, number);
  const event = await pay(shop, buyer);
  const cookie = [...buyer.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const socket = new WebSocket(
    `${padlink.origin.replace('http', 'ws')}/graphql`,
    'graphql-transport-ws',
    {
      headers: { cookie, origin: padlink.origin },
    },
  );
  await once(socket, 'open');
  const send = (message: object) => socket.send(JSON.stringify(message));
  const payload = { query: ON_UPDATE, variables: { id: linkId } };
  send({ type: 'connection_init', payload: await publishableKey(padlink) });
  await until(socket, ({ type }) => type === 'connection_ack');
  const subscribed = until(socket, ({ type }) => type === 'ping');
  send({ type: 'subscribe', id: 'link', payload });
  await subscribed;
  const unlocked = until(socket, ({ type }) => type === 'next');
  const sentAt = performance.now();
  const answered = deliverWebhook(padlink, event);
  const { payload: told } = await unlocked;
  const waited = performance.now() - sentAt;
  await answered;
  socket.terminate();
  if (!told?.data?.onUpdatePaywallLink?.unlocked) throw new Error('The tab is not unlocked.');
  return waited;
}

interface Message {
  type: string;
  payload?: { data?: { onUpdatePaywallLink?: { unlocked: boolean } } };
}

function until(socket: WebSocket, fits: (message: Message) => boolean): Promise<Message> {
  return new Promise((resolve) => {
    socket.on('message', (data) => {
      const message: Message = JSON.parse(String(data));
      if (fits(message)) resolve(message);
    });
  });
}

/** @returns events a second, until the last of them is booked */
async function measureRate(shop: Shop, seller: Person): Promise<number> {
  const events: Stripe.Event[] = [];
  for (let number = 0; number < PAYMENTS; number += 1) {
    events.push(await pay(shop, buyerOf(shop, TABS + number)));
  }
  const expected = (TABS + PAYMENTS) * NET_CENTS;
  const begunAt = performance.now();
  const deliver = async () => {
    for (let event = events.pop(); event; event = events.pop()) {
      await deliverWebhook(shop.padlink, event);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, deliver));
  while ((await readBalance(seller)) < expected) await sleep(10);
  return (PAYMENTS * 1000) / (performance.now() - begunAt);
}

/** Each at an address of their own: one may begin sixty checkouts in a minute. */
const buyerOf = ({ padlink }: Shop, number: number) =>
  createPersonAt(padlink, `198.51.${100 + (number >> 8)}.${number % 256}`);

/** @returns the event that says so */
async function pay({ stripe, linkId }: Shop, buyer: Person): Promise<Stripe.Event> {
  await payAt(buyer, await checkOut(buyer, linkId));
  const type = 'checkout.session.completed';
  const [event] = (await stripe.events.list({ type, limit: 1 })).data;
  if (!event) throw new Error('The payment did not go through.');
  return event;
}
