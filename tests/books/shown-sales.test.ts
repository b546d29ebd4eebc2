import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_NOTIFIED_BROWSERS, MAX_TOLD_SINGLY } from '../../contract/notifications.ts';
import { enqueue } from '../../server/ground/outbox/jobs.ts';
import { sweepNotifiedBrowsers } from '../../server/notices/notifications/browsers.ts';
import { deleteAccount } from '../../server/people/accounts/delete-account.ts';
import { auth } from '../factories/account-requests.ts';
import {
  askGraphql,
  createLink,
  graphql,
  readUserId,
  signIn,
  signUp,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, createPersonAt, type Person } from '../harness/person.ts';
import { runCli } from '../harness/run-command.ts';
import { readSender, startPushService } from '../harness/start-push-service.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

const NOTIFY = `mutation ($endpoint: String!, $p256dh: String!, $auth: String!) {
  notifyBrowser(endpoint: $endpoint, p256dh: $p256dh, auth: $auth)
}`;
const STOP = 'mutation ($id: ID) { stopNotifyingBrowser(id: $id) }';
const CHOOSE = 'mutation { setNotifications(sales: "none") }';

type Service = Awaited<ReturnType<typeof startPushService>>;
type Browser = ReturnType<Service['subscribe']>;

describeOnSqliteFirst('a browser', (database) => {
  let ahead = 0;
  const app = useApp({
    database,
    env: { WEBHOOK_ALLOW_PRIVATE: 'true', TRUSTED_PROXIES: '127.0.0.1' },
    overrides: { now: () => Date.now() + ahead },
  });
  let service: Service;
  let seller: Awaited<ReturnType<typeof signUp>>;
  let id: string;
  let addresses = 0;

  beforeAll(async () => {
    service = await startPushService();
    seller = await signUp(app);
    const link = { type: 'link', url: 'https://example.com/secret', price: 1000 };
    id = (await createLink(seller, { ...link, title: 'Fish & “chips”' })).id;
  });
  afterAll(() => service?.stop());

  /** Another browser of the seller's, which shows sales. */
  async function turnOn(person: Person = createPerson(app)): Promise<Browser & { person: Person }> {
    if (person !== seller) await signIn(person, seller.email);
    const browser = service.subscribe();
    await graphql(person, NOTIFY, browser.subscription);
    return { ...browser, person };
  }

  async function sell(): Promise<void> {
    addresses += 1;
    const buyer = createPersonAt(app, `198.51.100.${addresses}`);
    await buyer.fetch(await payFor(buyer, id));
    await waitUntilUnlocked(buyer, id);
  }

  const dueJobs = () =>
    withDatabase(app, (db) =>
      db
        .selectFrom('job')
        .where('kind', 'in', ['tell-browsers', 'tell-browser'])
        .where('run_at', '<=', Date.now() + ahead)
        .selectAll()
        .execute(),
    );
  const untilTold = () => eventually(async () => expect(await dueJobs()).toEqual([]));
  const stored = () =>
    withDatabase(app, (db) => db.selectFrom('notified_browser').selectAll().execute());
  /** A job to tell a browser of the sales of the last half hour. */
  const tellLater = (ownerId: string, sessionId: string | undefined, inMs: number) =>
    withDatabase(app, (db) => {
      const now = Date.now();
      const sales = { ownerId, sessionId: sessionId ?? '', purchaseId: null };
      const from = now - HOUR_MS / 2;
      return enqueue(db, 'tell-browser', { ...sales, from }, now, now + inMs);
    });
  const readPushKey = async () => {
    const html = await (await seller.fetch('/account')).text();
    return /"pushKey":"([\w-]+)"/.exec(html)?.[1];
  };

  test('shows each sale of who is signed in there, encrypted for it alone, and nothing of the buyer', async () => {
    const key = await readPushKey();
    const [one, two] = [await turnOn(seller), await turnOn()];
    const stranger = await signUp(app);
    const foreign = service.subscribe();
    await graphql(stranger, NOTIFY, foreign.subscription);
    await graphql(seller, CHOOSE);

    // Neither a restart nor another process has other keys.
    await app.restart();
    expect(await readPushKey()).toBe(key);
    await sell();
    for (const browser of [one, two]) {
      await eventually(() => expect(browser.pushed).toHaveLength(1));
      const [message] = browser.read();
      expect(message).toEqual({
        title: 'You made a sale',
        body: 'You sold “Fish & “chips””: $9.20',
        tag: expect.stringMatching(/^[\w-]{36}$/),
        path: '/dashboard',
      });
      const [pushed] = browser.pushed;
      expect(pushed?.headers).toMatchObject({
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(DAY_MS / 1000),
      });
      const sender = readSender(pushed ?? expect.unreachable());
      expect(sender).toMatchObject({ key, aud: service.origin, sub: 'mailto:seller@localhost' });
      expect(sender.expiresAt).toBeGreaterThan(Date.now());
      expect(sender.expiresAt).toBeLessThanOrEqual(Date.now() + DAY_MS);
    }
    await untilTold();
    expect(foreign.pushed).toEqual([]);

    // It is listed where it can be turned off, without what it is reached by.
    const html = await (await seller.fetch('/account')).text();
    expect(html).toContain('"notifiedBrowsers":[{"id":');
    for (const secret of Object.values(two.subscription)) expect(html).not.toContain(secret);
  });

  test('that its push service knows no more is forgotten, and one that fails is tried for a day', async () => {
    const [gone, moved, silent] = [await turnOn(seller), await turnOn(), await turnOn()];
    gone.answerWith(410);
    moved.answerWith(302);
    silent.answerWith('never');
    // Who pays does not wait for it.
    await sell();
    const endpoints = async () => (await stored()).map(({ endpoint }) => endpoint);
    await eventually(async () =>
      expect(await endpoints()).not.toContain(gone.subscription.endpoint),
    );
    await eventually(() => expect(silent.pushed).toHaveLength(1));
    await eventually(async () => {
      const failing = (await stored()).filter(({ failing_since }) => failing_since !== null);
      expect(failing.map(({ endpoint }) => endpoint)).toContain(moved.subscription.endpoint);
    });
    // A redirect leads nowhere, and nothing is lost.
    expect(moved.pushed).toHaveLength(1);
    moved.answerWith(201);
    ahead += 2 * 60_000;
    await eventually(() => expect(moved.pushed).toHaveLength(2));
    const [first, second] = moved.read();
    expect(second).toEqual(first);
    await eventually(async () => {
      const [row] = (await stored()).filter((one) => one.endpoint === moved.subscription.endpoint);
      expect(row?.failing_since).toBeNull();
    });

    silent.answerWith(500);
    await eventually(async () => {
      const [row] = (await stored()).filter((one) => one.endpoint === silent.subscription.endpoint);
      expect(row?.failing_since).not.toBeNull();
    });
    ahead += 20 * HOUR_MS;
    await sell();
    await untilTold();
    expect(await endpoints()).toContain(silent.subscription.endpoint);
    ahead += 5 * HOUR_MS;
    await eventually(async () =>
      expect(await endpoints()).not.toContain(silent.subscription.endpoint),
    );
    await untilTold();
    expect(await endpoints()).toContain(moved.subscription.endpoint);
  });

  test('shows the sales of an hour together that were made after many', async () => {
    ahead = 0;
    await withDatabase(app, async (db) => {
      await db.deleteFrom('notified_browser').execute();
      await db.updateTable('notification_choice').set({ hour_from: 0 }).execute();
    });
    const browser = await turnOn(seller);
    for (let sale = 1; sale <= MAX_TOLD_SINGLY + 2; sale += 1) await sell();
    await eventually(() => expect(browser.pushed).toHaveLength(MAX_TOLD_SINGLY));
    await untilTold();
    const german = new URLSearchParams({ back: '/', language: 'de' });
    await seller.fetch('/language', { method: 'POST', body: german });
    ahead = HOUR_MS;
    await eventually(() => expect(browser.pushed).toHaveLength(MAX_TOLD_SINGLY + 1));
    const [first, last] = [browser.read()[0], browser.read().at(-1)];
    expect(first).toMatchObject({ title: 'You made a sale' });
    expect(last).toMatchObject({
      title: 'Sie haben viel verkauft',
      body: 'Sie haben innerhalb einer Stunde 12 Verkäufe erzielt: 110,40\u00a0$',
    });
    await untilTold();
    expect(browser.pushed).toHaveLength(MAX_TOLD_SINGLY + 1);
    ahead = 0;
  });

  test('shows nothing any more once it is turned off, signed out or ended elsewhere', async () => {
    await withDatabase(app, async (db) => {
      await db.deleteFrom('notified_browser').execute();
      await db.updateTable('notification_choice').set({ hour_from: 0 }).execute();
    });
    const stays = await turnOn(seller);
    const [off, out, ended, taken] = [
      await turnOn(),
      await turnOn(),
      await turnOn(),
      await turnOn(),
    ];
    await graphql(off.person, STOP);
    await auth(out.person, 'sign-out');
    await auth(seller, 'revoke-other-sessions');
    // The same browser, in which somebody else signs in and turns it on.
    const stranger = await signUp(app);
    await graphql(stranger, NOTIFY, taken.subscription);
    await sell();
    await eventually(() => expect(stays.pushed).toHaveLength(1));
    await untilTold();
    // What was begun before is not sent either.
    const userId = await readUserId(seller);
    for (const { session_id } of await stored()) await tellLater(userId, session_id, 0);
    await untilTold();
    expect(stays.pushed).toHaveLength(2);
    for (const browser of [off, out, ended, taken]) expect(browser.pushed).toEqual([]);

    // A stranger ends nobody's.
    const [own] = (await stored()).filter(
      ({ endpoint }) => endpoint === stays.subscription.endpoint,
    );
    await graphql(stranger, STOP, { id: own?.session_id });
    await withDatabase(app, sweepNotifiedBrowsers);
    const left = (await stored()).map(({ endpoint }) => endpoint);
    expect(left.sort()).toEqual([stays.subscription.endpoint, taken.subscription.endpoint].sort());

    // Nothing is sent for an account that is suspended, and nothing outlives one that is deleted.
    await tellLater(userId, own?.session_id, HOUR_MS);
    const suspended = await runCli(app.env, 'user', 'suspend', seller.email, '--reason', 'fraud');
    expect(suspended.status).toBe(0);
    ahead = HOUR_MS;
    await untilTold();
    expect(stays.pushed).toHaveLength(2);
    await withDatabase(app, async (db) => {
      await db.deleteFrom('user_balance').execute();
      await deleteAccount({ db, now: Date.now }, userId);
    });
    expect((await stored()).map(({ owner_id }) => owner_id)).not.toContain(userId);
    ahead = 0;
  });

  test('is refused what is no subscription, and an account has a bounded number of them', async () => {
    const person = await signUp(app);
    const { subscription } = service.subscribe();
    const wrong = [
      { endpoint: 'ftp://push.example.com/1' },
      { endpoint: 'https://ada:secret@push.example.com/1' },
      { p256dh: subscription.auth },
      { p256dh: Buffer.alloc(65, 4).toString('base64url') },
      { auth: 'short' },
      { auth: '*'.repeat(22) },
    ];
    for (const part of wrong) {
      const { errors } = await askGraphql(person, NOTIFY, { ...subscription, ...part });
      expect(errors?.[0]?.extensions?.code, JSON.stringify(part)).toBe('INVALID_INPUT');
    }
    const mine = async () => {
      const userId = await readUserId(person);
      return (await stored()).filter(({ owner_id }) => owner_id === userId);
    };
    expect(await mine()).toEqual([]);

    // The same browser again is one, and of too many the first one goes.
    await graphql(person, NOTIFY, subscription);
    await graphql(person, NOTIFY, service.subscribe().subscription);
    expect(await mine()).toHaveLength(1);
    const [first] = await mine();
    await Promise.all(
      Array.from({ length: MAX_NOTIFIED_BROWSERS }, async (_, number) => {
        const browser = createPersonAt(app, `203.0.113.${number}`);
        await signIn(browser, person.email);
        await graphql(browser, NOTIFY, service.subscribe().subscription);
      }),
    );
    const kept = await mine();
    expect(kept).toHaveLength(MAX_NOTIFIED_BROWSERS);
    expect(kept.map(({ session_id }) => session_id)).not.toContain(first?.session_id);
  });
});

describeOnSqliteFirst('without the permission of the operator', (database) => {
  const app = useApp({ database });

  test('no push service within the network is spoken to', async () => {
    const service = await startPushService();
    try {
      const seller = await signUp(app);
      const link = { type: 'link', url: 'https://example.com/secret', price: 1000 };
      const { id } = await createLink(seller, link);
      const browser = service.subscribe();
      const { errors } = await askGraphql(seller, NOTIFY, browser.subscription);
      expect(errors?.[0]?.message).toContain('must begin with https://');
      const within = browser.subscription.endpoint.replace('http:', 'https:');
      await graphql(seller, NOTIFY, { ...browser.subscription, endpoint: within });
      let connections = 0;
      service.onConnection(() => {
        connections += 1;
      });
      const buyer = createPerson(app);
      await payFor(buyer, id);
      await eventually(() =>
        withDatabase(app, async (db) => {
          const [row] = await db.selectFrom('notified_browser').selectAll().execute();
          expect(row?.failing_since).not.toBeNull();
        }),
      );
      expect(connections).toBe(0);
    } finally {
      service.stop();
    }
  });
});
