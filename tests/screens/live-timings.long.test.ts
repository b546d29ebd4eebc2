import type { Page, WebSocketRoute } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { signUp } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import type { Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { stopTime } from '../journeys/steps.ts';

interface Message {
  type: string;
  id?: string;
}

interface Connection {
  route: WebSocketRoute;
  closed: number | undefined;
  /** What the page said. */
  heard: Message[];
}

/** New, changed and deleted links, the balance, and sales. */
const SUBSCRIPTIONS = 5;

type Say = (message: object) => void;

/** Acknowledges the connection and the start of each subscription; then says nothing. */
function acknowledge(say: Say, { type, id }: Message): void {
  if (type === 'connection_init') say({ type: 'connection_ack' });
  if (type === 'subscribe') say({ type: 'ping', payload: { type: 'start_ack', id } });
}

/** What the page and its connection have said to each other by now has arrived. */
const settle = (page: Page) => page.evaluate(() => {});

const pongs = (connection: Connection | undefined) =>
  connection?.heard.filter(({ type }) => type === 'pong').length;

const FIVE_MINUTES_MS = 5 * 60_000;

/** An open page of the running product, whose time stands still between two steps of a test. */
describe('the live connection of an open dashboard', () => {
  const app = useApp();
  let creator: Person;

  beforeAll(async () => {
    creator = await signUp(app);
  });

  /** @param answer what stands in for the server; without it, that is silent */
  async function openDashboard(answer: (say: Say, message: Message) => void = () => {}) {
    const page = await openPage(app, { as: creator });
    const connections: Connection[] = [];
    let reads = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/graphql')) reads += 1;
    });
    await page.routeWebSocket('**/graphql', (route) => {
      const connection: Connection = { route, closed: undefined, heard: [] };
      connections.push(connection);
      const say: Say = (message) => route.send(JSON.stringify(message));
      route.onMessage((text) => {
        const message: Message = JSON.parse(String(text));
        connection.heard.push(message);
        answer(say, message);
      });
      route.onClose((code) => {
        connection.closed = code;
      });
    });
    await page.clock.install();
    await page.goto('/dashboard');
    await expect.poll(() => connections.length).toBe(1);
    await stopTime(page);
    const pass = async (ms: number) => {
      await page.clock.runFor(ms);
      await settle(page);
    };
    const lose = async () => {
      await connections.at(-1)?.route.close({ code: 1012 });
      await settle(page);
    };
    return {
      connections,
      pass,
      lose,
      last: () => connections.at(-1),
      reads: () => reads,
      /** A connection of which it is known when it began. */
      async connectAgain() {
        await lose();
        await pass(5_000);
        await expect.poll(() => connections.length).toBe(2);
        await expect.poll(() => connections[1]?.heard.length).toBeGreaterThan(0);
      },
      /** Everything is read once all subscriptions run. */
      async waitUntilRunning() {
        await expect.poll(() => pongs(connections.at(-1))).toBe(SUBSCRIPTIONS);
        await expect.poll(() => reads).toBe(connections.length);
      },
    };
  }

  test('is given up when the acknowledgement takes 15 seconds', async () => {
    const { connectAgain, pass, last } = await openDashboard();
    await connectAgain();
    await pass(14_999);
    expect(last()?.closed).toBeUndefined();
    await pass(1);
    await expect.poll(() => last()?.closed).toBe(4504);
  });

  test('is given up when the start of one subscription is not acknowledged for 15 seconds', async () => {
    const { connectAgain, pass, last } = await openDashboard((say, message) => {
      if (message.id !== '1') acknowledge(say, message);
    });
    await connectAgain();
    await expect.poll(() => pongs(last())).toBe(SUBSCRIPTIONS - 1);
    await pass(14_999);
    expect(last()?.closed).toBeUndefined();
    await pass(1);
    await expect.poll(() => last()?.closed).toBe(4499);
  });

  test('is lost after 5 minutes of silence, where the server names no other time', async () => {
    const { connectAgain, waitUntilRunning, pass, last } = await openDashboard(acknowledge);
    await connectAgain();
    await waitUntilRunning();
    await pass(FIVE_MINUTES_MS - 1);
    expect(last()?.closed).toBeUndefined();
    await pass(1);
    await expect.poll(() => last()?.closed).toBe(4499);
  });

  test('misses a keep-alive after 65 seconds of silence, at the check of every 5 seconds', async () => {
    const { connectAgain, waitUntilRunning, pass, last, reads } = await openDashboard(acknowledge);
    await connectAgain();
    await waitUntilRunning();
    await pass(2_000);
    last()?.route.send(JSON.stringify({ type: 'ping' }));
    await expect.poll(() => pongs(last())).toBe(SUBSCRIPTIONS + 1);
    const before = reads();
    await pass(67_999);
    expect(reads()).toBe(before);
    await pass(1);
    // What may have been missed is read again.
    await expect.poll(reads).toBe(before + 1);
    expect(last()?.closed).toBeUndefined();
  });

  test('is made again 5 seconds after it was lost, and then every 60 seconds', async () => {
    const { connections, pass, lose } = await openDashboard();
    for (const [lost, wait] of [5_000, 60_000, 60_000].entries()) {
      await lose();
      await pass(wait - 1);
      expect(connections).toHaveLength(lost + 1);
      await pass(1);
      await expect.poll(() => connections.length).toBe(lost + 2);
    }
  });
});
