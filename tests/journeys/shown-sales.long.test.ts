import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLink, graphql, signIn, signUp } from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { openPage, type PageOptions } from '../harness/browser.ts';
import { eventually } from '../harness/eventually.ts';
import { createPerson } from '../harness/person.ts';
import { createSubscription, startPushService } from '../harness/start-push-service.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';
import { waitUntilAlive } from './steps.ts';
import { subscribeToPush } from './subscribe-to-push.ts';

const NOTIFY = `mutation ($endpoint: String!, $p256dh: String!, $auth: String!) {
  notifyBrowser(endpoint: $endpoint, p256dh: $p256dh, auth: $auth)
}`;

/** The headless shell shows no notifications. */
const ALLOWED: PageOptions = {
  context: { serviceWorkers: 'allow', permissions: ['notifications'] },
  wholeBrowser: true,
};

describe('notifications in a browser', () => {
  const app = useApp({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
  let service: Awaited<ReturnType<typeof startPushService>>;
  let seller: Awaited<ReturnType<typeof signUp>>;
  let id: string;

  beforeAll(async () => {
    service = await startPushService();
    seller = await signUp(app);
    const link = { type: 'link', url: 'https://example.com/secret', price: 1000, title: 'Poems' };
    id = (await createLink(seller, link)).id;
  });
  afterAll(() => service?.stop());

  const section = (page: Page) => page.getByRole('region', { name: 'Notifications', exact: true });
  const press = (page: Page, name: string) => section(page).getByRole('button', { name }).click();
  const stored = () =>
    withDatabase(app, (db) => db.selectFrom('notified_browser').selectAll().execute());

  async function open(options: PageOptions = {}, before?: () => void): Promise<Page> {
    const page = await openPage(app, { as: seller, ...options });
    if (before) await page.addInitScript(before);
    await page.goto('/account/notifications');
    await waitUntilAlive(page);
    return page;
  }

  test('are turned on, shown by the service worker, lead to the dashboard, and are turned off', async () => {
    const browser = service.subscribe();
    const page = await openPage(app, {
      as: seller,
      ...ALLOWED,
    });
    await page.addInitScript(subscribeToPush, browser.subscription);
    const browserTools = await page.context().newCDPSession(page);
    const registered = new Promise<string>((resolve) => {
      browserTools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const [first] = registrations;
        if (first) resolve(first.registrationId);
      });
    });
    await browserTools.send('ServiceWorker.enable');
    await page.goto('/account/notifications');
    await waitUntilAlive(page);
    await press(page, 'Notify me in this browser');
    await section(page).getByText('This browser shows each sale from now on.').waitFor();
    expect(await stored()).toMatchObject([browser.subscription]);

    const buyer = createPerson(app);
    await buyer.fetch(await payFor(buyer, id));
    await eventually(() => expect(browser.pushed).toHaveLength(1));
    const [message] = browser.read();
    // What is delivered before it is active is lost.
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
    await browserTools.send('ServiceWorker.deliverPushMessage', {
      origin: app.origin,
      registrationId: await registered,
      data: JSON.stringify(message),
    });
    const listShown = () =>
      page.evaluate(async () => {
        const registration = await navigator.serviceWorker.ready;
        const shown = await registration.getNotifications();
        return shown.map(({ title, body, tag, icon }) => ({ title, body, tag, icon }));
      });
    const shown = { title: 'You made a sale', body: 'You sold “Poems”: $9.20' };
    await expect.poll(listShown).toMatchObject([{ ...shown, icon: `${app.origin}/icon-192.png` }]);

    const [worker] = page.context().serviceWorkers();
    // Only a person's click lets a worker open a window.
    const opened = await worker?.evaluate(async () => {
      const scope = self as unknown as {
        registration: ServiceWorkerRegistration;
        clients: { openWindow(path: string): Promise<unknown> };
      };
      const [notification] = await scope.registration.getNotifications();
      return new Promise((resolve) => {
        scope.clients.openWindow = async (path) => resolve(path);
        const click = new Event('notificationclick');
        const lasting = { notification, waitUntil: () => {} };
        self.dispatchEvent(Object.assign(click, lasting));
      });
    });
    expect(opened).toBe('/dashboard');
    await expect.poll(listShown).toEqual([]);

    // A later session of the same browser is told of at the next visit to the dashboard.
    await page.context().clearCookies();
    const again = createPerson(app);
    await signIn(again, seller.email);
    const cookies = [...again.cookies].map(([name, value]) => ({ name, value, url: app.origin }));
    await page.context().addCookies(cookies);
    const [before] = await stored();
    await page.goto('/dashboard');
    await expect.poll(async () => (await stored())[0]?.session_id).not.toBe(before?.session_id);

    await page.goto('/account/notifications');
    await press(page, 'Stop notifying me here');
    await section(page).getByText('This browser no longer shows your sales.').waitFor();
    expect(await stored()).toEqual([]);
    await page.reload();
    await section(page).getByRole('button', { name: 'Notify me in this browser' }).waitFor();
  });

  test('of other browsers are listed, and ended there', async () => {
    const other = createPerson(app);
    await signIn(other, seller.email);
    await graphql(other, NOTIFY, createSubscription('https://push.example.com/other').subscription);
    const page = await open();
    await section(page).getByText('Other browsers that show your sales').waitFor();
    await press(page, 'Stop notifying');
    await section(page).getByText('no longer shows your sales.').waitFor();
    expect(await stored()).toEqual([]);
  });

  test('are explained where the browser cannot have them, or the person does not want them', async () => {
    const blocked = await open({}, () => {
      Object.defineProperty(Notification, 'permission', { get: () => 'denied' });
    });
    await section(blocked).getByText('This browser blocks notifications').waitFor();

    const none = await open({}, () => {
      Reflect.deleteProperty(window, 'PushManager');
    });
    await section(none).getByText('This browser cannot show notifications.').waitFor();

    const userAgent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1';
    const phone = await open({ context: { userAgent } });
    await section(phone).getByText('Add this site to the Home Screen').waitFor();

    const silent = await open(ALLOWED, () => {
      PushManager.prototype.subscribe = async () => {
        throw new DOMException('Registration failed - push service not available', 'AbortError');
      };
    });
    await press(silent, 'Notify me in this browser');
    await section(silent).getByText('could not reach its push service').waitFor();
    for (const page of [blocked, none, phone]) {
      expect(
        await section(page)
          .getByRole('button', { name: /otify me/ })
          .count(),
      ).toBe(0);
    }
  });
});
