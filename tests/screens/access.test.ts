import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { createLink, graphql, PASSWORD, sellFile, signIn, signUp } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import { createPerson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { openLivePage, waitUntilAlive } from '../journeys/steps.ts';
import { pressBack, watchRestores } from './history.ts';

const pathOf = (page: Page) => new URL(page.url()).pathname;

describe('access to the pages', () => {
  const app = useApp();
  let creator: Awaited<ReturnType<typeof signUp>>;

  beforeAll(async () => {
    creator = await signUp(app);
  });

  /** The creator in a browser of its own, whose session others do not share. */
  async function signInElsewhere() {
    const person = createPerson(app);
    await signIn(person, creator.email);
    return person;
  }

  /** A connected dashboard may find out by itself, before anything is pressed. */
  async function muteLiveUpdates(page: Page): Promise<void> {
    await page.routeWebSocket('**/graphql', () => {});
  }

  async function signInOnPage(page: Page): Promise<void> {
    await waitUntilAlive(page);
    await page.getByLabel('Email').fill(creator.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  test.each(['/dashboard', '/upload', '/account', '/account/security'])(
    'a guest who opens %s is led to /login, and back after signing in',
    { tags: 'long' },
    async (path) => {
      const page = await openPage(app);
      await page.goto(path);
      expect(pathOf(page)).toBe('/login');
      await signInOnPage(page);
      await page.waitForURL(path);
      await page.goto(path);
      expect(pathOf(page)).toBe(path);
    },
  );

  test('a guest may open /login and is led to /dashboard after signing in', async () => {
    const page = await openPage(app);
    await page.goto('/login');
    expect(pathOf(page)).toBe('/login');
    await signInOnPage(page);
    await page.waitForURL('/dashboard');
  });

  test('whoever is signed in is led from /login to /dashboard', async () => {
    const page = await openPage(app, { as: creator });
    await page.goto('/login');
    expect(pathOf(page)).toBe('/dashboard');
  });

  test('a guest may open every public page', { tags: 'long' }, async () => {
    const page = await openPage(app);
    const { id } = await sellFile(creator);
    const routes = ['/', `/p/${id}`, '/explore', '/success', '/failed', '/terms', '/privacy'];
    for (const path of routes) {
      await page.goto(path);
      expect(pathOf(page)).toBe(path);
    }
  });

  test.each([
    'https://example.com/',
    '//example.com/',
    '/\\example.com/',
    '\\\\example.com',
    'javascript:alert(1)',
    '/\t/example.com/',
    '/\n/example.com',
    '/.//example.com',
  ])(
    'signing in leads to no other place than this site: next=%j',
    { tags: 'long' },
    async (next) => {
      const page = await openPage(app);
      await page.goto(`/login?next=${encodeURIComponent(next)}`);
      await signInOnPage(page);
      await page.waitForURL('/dashboard');
    },
  );

  test('more links asked for after the session ended lead to /login and back', {
    tags: 'long',
  }, async () => {
    const person = await signInElsewhere();
    for (let count = 0; count < 51; count++) {
      await createLink(person, { type: 'link', url: 'https://example.com/' });
    }
    const page = await openPage(app, { as: person });
    await muteLiveUpdates(page);
    await page.goto('/dashboard');
    await waitUntilAlive(page);
    await person.fetch('/logout', { method: 'POST' });
    await page.getByRole('link', { name: 'Show older links' }).click();
    await page.waitForURL('/login?next=%2Fdashboard');
    await signInOnPage(page);
    await page.waitForURL('/dashboard');
  });

  test('a list loaded again after the session ended leads to /login and back', {
    tags: 'long',
  }, async () => {
    const person = await signInElsewhere();
    const page = await openPage(app, {
      as: person,
      expectedErrors: /400 \/dashboard\?after=nonsense/,
    });
    await muteLiveUpdates(page);
    await page.goto('/dashboard?after=nonsense');
    await waitUntilAlive(page);
    await person.fetch('/logout', { method: 'POST' });
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.waitForURL('/login?next=%2Fdashboard%3Fafter%3Dnonsense');
  });

  test('a file uploaded after the session ended is refused, and what was typed is kept', {
    tags: 'long',
  }, async () => {
    const person = await signInElsewhere();
    const page = await openPage(app, { as: person, expectedErrors: /401 \/uploads/ });
    await page.goto('/upload');
    const file = { name: 'Kept.txt', mimeType: 'text/plain', buffer: Buffer.from('kept') };
    await page.getByLabel('Choose File').setInputFiles(file);
    await page.getByLabel('Price (USD)').fill('4.99');
    await page.getByLabel('Title').fill('Typed once');
    await page.getByText('More options').click();
    await page.getByLabel('Unlisted', { exact: true }).check();
    await person.fetch('/logout', { method: 'POST' });
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await page.getByRole('alert').getByText('User not authenticated.', { exact: true }).waitFor();
    expect(await page.getByText('Kept.txt').isVisible()).toBe(true);
    await page.getByRole('link', { name: 'Sign in to continue' }).click();
    await page.waitForURL('/login?next=%2Fupload&mode=sign-in');
    await signInOnPage(page);
    await page.waitForURL('/upload');
    await page.waitForFunction(() => document.querySelector('input')?.form?.price.value === '4.99');
    expect(await page.getByLabel('Title').inputValue()).toBe('Typed once');
    expect(await page.getByLabel('Unlisted', { exact: true }).isChecked()).toBe(true);
    await page.getByLabel('Choose File').setInputFiles(file);
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    const address = await page.getByLabel('Your paywall link:').inputValue();
    const query = `{ getPaywallLink(id: "${address.slice(-8)}") { title unlisted } }`;
    expect(await graphql(creator, query)).toEqual({
      getPaywallLink: { title: 'Typed once', unlisted: true },
    });
  });

  test('what was typed is not given to somebody else who signs in instead', {
    tags: 'long',
  }, async () => {
    const person = await signInElsewhere();
    const page = await openPage(app, { as: person });
    await page.goto('/upload');
    await page.getByRole('button', { name: 'or sell a web address' }).click();
    await page.getByLabel('Web address').fill('https://example.com/secret');
    await page.getByLabel('Price (USD)').fill('4.99');
    await person.fetch('/logout', { method: 'POST' });
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await page.getByRole('alert').getByText('User not authenticated.', { exact: true }).waitFor();
    const other = await signUp(app);
    const cookies = [...other.cookies];
    await page
      .context()
      .addCookies(cookies.map(([name, value]) => ({ name, value, url: app.origin })));
    await page.goto('/upload');
    await page.waitForFunction(() => sessionStorage.length === 0);
    expect(await page.getByLabel('Price (USD)').inputValue()).toBe('');
    expect(await page.getByText('Choose File').isVisible()).toBe(true);
  });
});

describe('pages from the history of the browser', () => {
  const app = useApp();

  test('show nothing private once their creator has signed out', { tags: 'long' }, async () => {
    const creator = await signUp(app);
    const page = await openPage(app, { as: creator, backForwardCache: true });
    const restored = await watchRestores(page);
    await page.goto('/account/security');
    await page.getByText(creator.email).first().waitFor();
    await waitUntilAlive(page);
    await page.goto('/terms');
    // Ended elsewhere: this browser's cookie stays, as after an expiry.
    await creator.fetch('/logout', { method: 'POST' });
    await pressBack(page);
    await page.waitForURL('/login?next=%2Faccount%2Fsecurity');
    expect(restored).toContain(true);
    expect(await page.getByText(creator.email).count()).toBe(0);
  });

  test('hold no balance for whoever goes back to a dashboard whose session has ended', {
    tags: 'long',
  }, async () => {
    const creator = await signUp(app);
    const page = await openPage(app, { as: creator, backForwardCache: true });
    await openLivePage(page, '/dashboard', 4);
    await page.getByText('Balance: $0.00').waitFor();
    await page.goto('/terms');
    await creator.fetch('/logout', { method: 'POST' });
    await pressBack(page);
    await page.waitForURL('/login?next=%2Fdashboard');
    await page.getByLabel('Email').waitFor();
    expect(await page.getByText(/Balance|Welcome back/).count()).toBe(0);
  });

  test('are shown as they were left to a creator who is still signed in', {
    tags: 'long',
  }, async () => {
    const page = await openPage(app, { as: await signUp(app), backForwardCache: true });
    await page.goto('/upload');
    await waitUntilAlive(page);
    await page.getByLabel('Price (USD)').fill('7.50');
    await page.goto('/terms');
    await pressBack(page);
    await page.waitForURL('/upload', { waitUntil: 'commit' });
    await page.getByLabel('Price (USD)').waitFor();
    expect(await page.getByLabel('Price (USD)').inputValue()).toBe('7.50');
    expect(await page.getByText('You receive').textContent()).toContain('$6.82');
  });

  test('lead from /login to the dashboard once somebody has signed in', {
    tags: 'long',
  }, async () => {
    const creator = await signUp(app);
    const page = await openPage(app, { backForwardCache: true });
    await page.goto('/login');
    await waitUntilAlive(page);
    await page.getByLabel('Email').fill(creator.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('/dashboard');
    await pressBack(page);
    await page.waitForURL('/dashboard');
    await page.getByText('Welcome back').waitFor();
  });
});
