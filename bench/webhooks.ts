import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type Stripe from 'stripe';
import { WebSocket } from 'ws';
import { readBalance } from '../tests/factories/factories.ts';
import { CARDS, checkOut, payAt } from '../tests/factories/payment.ts';
import { createPersonAt } from '../tests/harness/person.ts';
import { deliverWebhook } from '../tests/harness/webhook.ts';
import { median } from './compare.ts';
import { openFolder } from './open-folder.ts';
import { describeMachine } from './report.ts';
import { type Shop, startShop } from './shop/start-shop.ts';

const TARGET_MS = 100;
const TARGET_EVENTS = 300;
/** Buyers with an open tab, one after the other. */
const TABS = 40;
/** Milliseconds. A start returns memory five seconds later, which would interrupt the events. */
const SETTLED = 6_000;
/** Payments whose events arrive together, so many at a time. */
const PAYMENTS = 300;
const AT_ONCE = 16;

const ON_UPDATE = 'subscription ($id: ID) { onUpdatePaywallLink(id: $id) { unlocked } }';

/** How soon a payment reaches the buyer's open tab, and how many events are worked off. */
export async function reportWebhooks(): Promise<string> {
  using folder = openFolder();
  await using shop = await startShop('SQLite', folder.path, 0);
  // The events are sent when the clock is looked at, not by the provider.
  await shop.stripe.webhookEndpoints.update('we_sandbox', { disabled: true });
  const waits: number[] = [];
  for (let tab = 0; tab < TABS; tab += 1) waits.push(await measureTab(shop, tab));
  const waited = median(waits);
  await sleep(SETTLED);
  const rate = await measureRate(shop);
  const isMet = waited <= TARGET_MS && rate >= TARGET_EVENTS;
  return `## From a webhook to the buyer

From the moment a payment's webhook is sent until the buyer's open tab is told over its live connection that the link is unlocked: median of ${TABS} payments ${waited.toFixed(0)} ms; target at most ${TARGET_MS} ms. ${PAYMENTS} payments whose events arrive together, ${AT_ONCE} at a time, are settled, granted and booked at ${rate.toFixed(0)} events/s; target at least ${TARGET_EVENTS}. The provider is a process of its own. Both: ${isMet ? 'met' : 'missed'}.

${describeMachine()}
`;
}

/** @returns milliseconds from the webhook to the open tab */
async function measureTab(shop: Shop, number: number): Promise<number> {
  const { origin, linkId, key } = shop;
  const buyer = buyerOf(shop, number);
  const event = await pay(shop, number, buyer);
  const cookie = [...buyer.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
    headers: { cookie, origin },
  });
  await once(socket, 'open');
  const send = (message: object) => socket.send(JSON.stringify(message));
  const payload = { query: ON_UPDATE, variables: { id: linkId } };
  send({ type: 'connection_init', payload: key });
  await until(socket, ({ type }) => type === 'connection_ack');
  const subscribed = until(socket, ({ type }) => type === 'ping');
  send({ type: 'subscribe', id: 'link', payload });
  await subscribed;
  const unlocked = until(socket, ({ type }) => type === 'next');
  const sentAt = performance.now();
  const answered = deliverWebhook(shop, event);
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
async function measureRate(shop: Shop): Promise<number> {
  const events: Stripe.Event[] = [];
  for (let number = 0; number < PAYMENTS; number += 1) {
    events.push(await pay(shop, TABS + number));
  }
  const net = (await readBalance(shop.seller)) / TABS;
  const expected = (TABS + PAYMENTS) * net;
  const begunAt = performance.now();
  const deliver = async () => {
    for (let event = events.pop(); event; event = events.pop()) {
      await deliverWebhook(shop, event);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, deliver));
  while ((await readBalance(shop.seller)) < expected) await sleep(10);
  return (PAYMENTS * 1000) / (performance.now() - begunAt);
}

/** Each at a network of their own: one may begin sixty checkouts in a minute. */
const buyerOf = (shop: Shop, number: number) =>
  createPersonAt(shop, `198.51.${number >> 8}.${number % 256}`);

/** @returns the event that says so */
async function pay(
  shop: Shop,
  number: number,
  buyer = buyerOf(shop, number),
): Promise<Stripe.Event> {
  const checkoutUrl = await checkOut(buyer, shop.linkId);
  await payAt(buyer, checkoutUrl, CARDS.pays, `${number}@example.com`);
  const type = 'checkout.session.completed';
  const [event] = (await shop.stripe.events.list({ type, limit: 1 })).data;
  if (!event) throw new Error('The payment did not go through.');
  return event;
}
