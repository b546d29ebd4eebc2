import type { Locator, Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { runSql } from '../errors/run-sql.ts';
import { createLink, PASSWORD, signIn, signUp } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import { createPerson, type Person, postJson, readJson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { givePasswordOnPage, openLivePage, signOutOnPage, waitUntilAlive } from './steps.ts';

const SUBSCRIPTIONS = 4;
const PRIVATE = ['/dashboard', '/upload', '/account/security'];
/** What requests of a tab get whose session has just ended. */
const ENDED = /401 \/api\/auth\/[\w/-]+/;

describe('a tab that was left open', () => {
  const app = useApp();
  let creator: Person & { email: string };

  beforeEach(async () => {
    creator = await signUp(app, { firstName: 'Ada' });
    await createLink(creator, { type: 'link', url: 'https://example.com/', title: 'My notes' });
  });

  async function expectSignedOut(page: Page, path: string): Promise<void> {
    await page.waitForURL(`/login?next=${encodeURIComponent(path)}`);
    await page.getByLabel('Email').waitFor();
    expect(await page.content()).not.toMatch(/Balance|My notes|Welcome back/);
    expect(await page.content()).not.toContain(creator.email);
  }

  const comeBack = (page: Page) =>
    page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

  /** Another browser of the creator's. */
  async function signInElsewhere(): Promise<Person> {
    const person = createPerson(app);
    await signIn(person, creator.email);
    return person;
  }

  test.each(PRIVATE)(
    'at %s is led to /login when another tab signs out',
    { tags: 'long' },
    async (path) => {
      const page = await openPage(app, { as: creator, expectedErrors: ENDED });
      await page.goto(path);
      await waitUntilAlive(page);
      await signOutOnPage(await page.context().newPage());
      await expectSignedOut(page, path);
      await page.goBack().catch(() => null);
      expect(await page.content()).not.toMatch(/Balance|My notes|Welcome back/);
    },
  );

  test('leads home who signs out, whatever it finds out on the way', { tags: 'long' }, async () => {
    const page = await openPage(app, { as: creator, expectedErrors: ENDED });
    await page.goto('/account');
    await page.goto('/dashboard');
    await waitUntilAlive(page);
    // What the button does before React is here: the browser's own way, and nobody else is told.
    await page.evaluate(() => {
      const form = document.querySelector('form[action="/logout"]');
      form?.addEventListener('submit', () => document.dispatchEvent(new Event('visibilitychange')));
    });
    const looked = page.waitForRequest('**/api/auth/get-session');
    await page.route('**/logout', async (route) => {
      const response = await route.fetch({ maxRedirects: 0 });
      await looked;
      await route.fulfill({ response });
    });
    await page.getByRole('button', { name: 'Sign Out' }).click({ noWaitAfter: true });
    await page.waitForURL('/');
  });

  test('shows the page of whoever signed in in another tab, and nothing of who was before', {
    tags: 'long',
  }, async () => {
    const other = await signUp(app, { firstName: 'Grace' });
    const page = await openPage(app, { as: creator, expectedErrors: ENDED });
    await page.goto('/dashboard');
    await page.getByText('My notes').first().waitFor();
    await waitUntilAlive(page);
    await takeOver(page, other);
    await (await page.context().newPage()).goto('/account');
    await page.getByRole('heading', { name: 'Welcome back, Grace' }).waitFor();
    expect(await page.content()).not.toContain('My notes');
  });

  test('at the dashboard is led to /login by its live connection when its session is revoked', {
    tags: 'long',
  }, async () => {
    const here = await signInElsewhere();
    const page = await openPage(app, { as: here, expectedErrors: ENDED });
    const caughtUp = page.waitForResponse('**/graphql');
    await openLivePage(page, '/dashboard', SUBSCRIPTIONS);
    expect((await caughtUp).ok()).toBe(true);
    await readJson(await postJson(creator, '/api/auth/revoke-other-sessions', {}));
    await expectSignedOut(page, '/dashboard');
  });

  test('at the dashboard is led to /login by its live connection when the account is deleted', {
    tags: 'long',
  }, async () => {
    const here = await signInElsewhere();
    const page = await openPage(app, { as: here, expectedErrors: ENDED });
    const caughtUp = page.waitForResponse('**/graphql');
    await openLivePage(page, '/dashboard', SUBSCRIPTIONS);
    expect((await caughtUp).ok()).toBe(true);
    const deletion = { confirmation: creator.email, password: PASSWORD };
    await readJson(await postJson(creator, '/api/auth/delete-user', deletion));
    await expectSignedOut(page, '/dashboard');
  });

  test('at the dashboard stays when another session of the same account ends', {
    tags: 'long',
  }, async () => {
    const elsewhere = await signInElsewhere();
    const page = await openPage(app, { as: creator });
    const connection = await openLivePage(page, '/dashboard', SUBSCRIPTIONS);
    await elsewhere.fetch('/logout', { method: 'POST' });
    // What comes after it over the same connection.
    const told = connection.waitForEvent('framereceived', ({ payload }) =>
      String(payload).includes('Made later'),
    );
    await createLink(creator, { type: 'link', url: 'https://example.com/', title: 'Made later' });
    await told;
    await page.getByText('Made later', { exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard');
  });

  test.each(['/upload', '/account/security'])(
    'at %s is led to /login when somebody looks at it after its session was revoked',
    { tags: 'long' },
    async (path) => {
      const here = await signInElsewhere();
      const page = await openPage(app, { as: here, expectedErrors: ENDED });
      await page.goto(path);
      await waitUntilAlive(page);
      await readJson(await postJson(creator, '/api/auth/revoke-other-sessions', {}));
      await comeBack(page);
      await expectSignedOut(page, path);
    },
  );

  test.each(PRIVATE)(
    'at %s is led to /login when its session expires in view',
    { tags: 'long' },
    async (path) => {
      const page = await openPage(app, { as: creator, expectedErrors: ENDED });
      await page.clock.install();
      await page.goto(path);
      await waitUntilAlive(page);
      await runSql(app, `update session set "expiresAt" = '2000-01-01T00:00:00.000Z'`);
      await page.clock.fastForward(60_000);
      await expectSignedOut(page, path);
    },
  );

  test('stays as it is while nobody can tell who is signed in', { tags: 'long' }, async () => {
    const page = await openPage(app, {
      as: creator,
      expectedErrors: /(503|net::ERR_FAILED) \/api\/auth\/get-session/,
    });
    await page.goto('/account/security');
    await waitUntilAlive(page);
    const faults = [
      async () => page.route('**/api/auth/get-session', (route) => route.abort()),
      async () => page.route('**/api/auth/get-session', (route) => route.fulfill({ status: 503 })),
    ];
    for (const fail of faults) {
      await fail();
      const asked = page.waitForRequest('**/api/auth/get-session');
      await comeBack(page);
      const answer = await (await asked).response().catch(() => null);
      expect(answer?.ok() ?? false).toBe(false);
    }
    await page.getByText(creator.email).first().waitFor();
    expect(new URL(page.url()).pathname).toBe('/account/security');
  });

  /** A page that the browser does not leave, since something is typed and not saved. */
  async function typeTitle(page: Page): Promise<Locator> {
    await page.goto('/dashboard');
    await waitUntilAlive(page);
    await page.getByRole('button', { name: 'Manage My notes' }).click();
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    const title = page.getByRole('dialog').getByLabel('Title (optional)');
    await title.fill('Typed for an hour');
    // Asked whether to leave, the person stays.
    page.on('dialog', (dialog) => dialog.dismiss());
    return title;
  }

  async function expectHidden(page: Page, title: Locator, notice: string): Promise<void> {
    await page.getByRole('heading', { name: notice }).waitFor();
    expect(await title.isVisible()).toBe(false);
    expect(await page.getByText('Balance').isVisible()).toBe(false);
  }

  async function expectShownAgain(page: Page, title: Locator, notice: string): Promise<void> {
    await title.waitFor();
    expect(await title.inputValue()).toBe('Typed for an hour');
    expect(await page.getByRole('heading', { name: notice }).count()).toBe(0);
  }

  const takeOver = (page: Page, { cookies }: Person) =>
    page
      .context()
      .addCookies([...cookies].map(([name, value]) => ({ name, value, url: app.origin })));

  test('hides what was typed and not saved, and shows it again to who signs in again', {
    tags: 'long',
  }, async () => {
    const page = await openPage(app, { as: creator, expectedErrors: ENDED });
    const title = await typeTitle(page);
    const tab = await page.context().newPage();
    await signOutOnPage(tab);
    await expectHidden(page, title, 'You are signed out');
    await givePasswordOnPage(tab, creator.email, '/account');
    await tab.waitForURL('/account');
    await expectShownAgain(page, title, 'You are signed out');
  });

  test('hides what was typed and not saved while another account is signed in', {
    tags: 'long',
  }, async () => {
    const page = await openPage(app, { as: creator, expectedErrors: ENDED });
    const title = await typeTitle(page);
    await takeOver(page, await signUp(app, { firstName: 'Grace' }));
    await comeBack(page);
    await expectHidden(page, title, 'Another account is signed in');
    await takeOver(page, creator);
    await comeBack(page);
    await expectShownAgain(page, title, 'Another account is signed in');
  });

  test('hides what comes back from the history while nobody can tell who is signed in', {
    tags: 'long',
  }, async () => {
    const page = await openPage(app, {
      as: creator,
      expectedErrors: /net::ERR_FAILED \/api\/auth\/get-session/,
    });
    const title = await typeTitle(page);
    await page.route('**/api/auth/get-session', (route) => route.abort());
    await page.evaluate(() => {
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    });
    await expectHidden(page, title, 'This page is hidden for now');
    await page.unroute('**/api/auth/get-session');
    await comeBack(page);
    await expectShownAgain(page, title, 'This page is hidden for now');
  });

  test('by a visitor without an account asks nothing and keeps nothing', async () => {
    const page = await openPage(app);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto('/explore');
    await waitUntilAlive(page);
    await comeBack(page);
    await (await page.context().newPage()).goto('/');
    expect(asked).not.toContain('/api/auth/get-session');
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
  });
});
