import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { sellFile, signUp } from '../factories/factories.ts';
import { signUpOperator } from '../factories/sign-up-operator.ts';
import { openPage, type PageOptions } from '../harness/browser.ts';
import type { Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { expectFocus } from '../journeys/steps.ts';

const phone = { width: 375, height: 700 };

const publicRoutes = ['/', '/explore', '/success', '/failed', '/terms', '/privacy', '/not-there'];

describe('the navigation bar and the footer', () => {
  const app = useApp();
  let creator: Person;
  let paywall: string;

  beforeAll(async () => {
    creator = await signUp(app);
    paywall = `/p/${(await sellFile(creator)).id}`;
  });

  /** Names and addresses of the links in the bar, in their order. */
  async function readBar(page: Page): Promise<string[]> {
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    return await links.evaluateAll((all) =>
      all.map((link) => `${link.textContent} ${link.getAttribute('href')}`),
    );
  }

  async function eachPage(routes: string[], options: PageOptions, look: (page: Page) => unknown) {
    const page = await openPage(app, { expectedErrors: /404 \/not-there/, ...options });
    for (const route of routes) {
      await page.goto(route);
      expect(new URL(page.url()).pathname).toBe(route);
      await look(page);
    }
  }

  test('holds the brand, Explore and Login for a guest, on every route', {
    tags: 'long',
  }, async () => {
    await eachPage([...publicRoutes, '/login', paywall], {}, async (page) => {
      expect(await readBar(page)).toEqual(['Padlink /', 'Explore /explore', 'Login /login']);
    });
  });

  test('holds Dashboard and Upload instead of Login for who is signed in, on every route', {
    tags: 'long',
  }, async () => {
    const routes = [...publicRoutes, '/dashboard', '/upload', '/account', paywall];
    await eachPage(routes, { as: creator }, async (page) => {
      expect(await readBar(page)).toEqual([
        'Padlink /',
        'Explore /explore',
        'Dashboard /dashboard',
        'Upload /upload',
        'Money /dashboard/money',
        'Purchases /purchases',
        'Account /account',
      ]);
    });
  });

  test('leads operators to their pages', async () => {
    const page = await openPage(app, { as: await signUpOperator(app) });
    await page.goto('/dashboard');
    expect((await readBar(page)).at(-1)).toBe('Operator /operator');
    await page.getByRole('link', { name: 'Operator', exact: true }).click();
    await page.getByRole('heading', { name: 'Operator', level: 1 }).waitFor();
  });

  test('holds the cart with its count on every page, once there is something in it', async () => {
    const other = await sellFile(creator);
    for (const options of [{ as: await signUp(app) }, {}, { javaScript: false, viewport: phone }]) {
      const page = await openPage(app, options);
      await page.goto('/');
      const guest = await readBar(page);
      await page.goto(paywall);
      await page.getByRole('button', { name: 'Add to cart' }).click();
      await page.waitForURL('/cart');
      const bar = page.getByRole('navigation', { name: 'Main' });
      expect(await bar.locator('[aria-current=page]').textContent()).toBe('Cart 1');
      await page.getByRole('link', { name: 'Continue shopping' }).click();
      await page.waitForURL('/explore');
      const buyer = (await readBar(page)).slice(0, -1);
      expect(guest.filter((link) => !link.startsWith('Cart'))).toEqual(
        options.as ? buyer : buyer.filter((link) => link !== 'Purchases /purchases'),
      );
      // On a phone the others are in the menu.
      if (!options.viewport) expect(buyer).toContain('Purchases /purchases');
      for (const path of ['/', '/explore', paywall, `/p/${other.id}`, '/purchases', '/terms']) {
        await page.goto(path);
        expect((await readBar(page)).at(-1)).toBe('Cart 1 /cart');
        expect(await bar.getByRole('link', { name: 'Cart 1' }).isVisible()).toBe(true);
      }
      await bar.getByRole('link', { name: 'Cart 1' }).click();
      await page.getByRole('button', { name: 'Remove' }).click();
      await page.getByText('Your cart is empty.').waitFor();
      expect((await readBar(page)).join()).not.toContain('/cart');
    }
  });

  test('tells of the cart on pages of the browser’s history as well', async () => {
    const page = await openPage(app, { backForwardCache: true });
    await page.goto('/explore');
    await page.goto(paywall);
    await page.getByRole('button', { name: 'Add to cart' }).click();
    await page.waitForURL('/cart');
    for (const path of [paywall, '/explore']) {
      await page.evaluate(() => history.back());
      await page.waitForURL(path);
      await page.getByRole('link', { name: 'Cart 1' }).waitFor();
    }
  });

  test('an address with nothing at it has ways out', async () => {
    const expectedErrors = /404 \/(not-there|p\/00000000)/;
    for (const javaScript of [true, false]) {
      const page = await openPage(app, { javaScript, expectedErrors });
      for (const path of ['/not-there', '/p/00000000']) {
        for (const [name, href] of [
          ['Explore other links', '/explore'],
          ['Find my purchase', '/purchases'],
          ['Go to Homepage', '/'],
        ] as const) {
          await page.goto(path);
          await page.getByRole('main').getByRole('link', { name }).click();
          await page.waitForURL(href);
        }
      }
    }
  });

  test('leads to the page each link names and marks it as the one that is open', {
    tags: 'long',
  }, async () => {
    const page = await openPage(app, { as: creator });
    await page.goto('/terms');
    const bar = page.getByRole('navigation', { name: 'Main' });
    for (const [name, path] of [
      ['Explore', '/explore'],
      ['Dashboard', '/dashboard'],
      ['Upload', '/upload'],
      ['Money', '/dashboard/money'],
      ['Purchases', '/purchases'],
      ['Account', '/account'],
    ] as const) {
      await bar.getByRole('link', { name }).click();
      await page.waitForURL(path);
      expect(await bar.locator('[aria-current=page]').allTextContents()).toEqual([name]);
    }
    await bar.getByRole('link', { name: 'Padlink' }).click();
    await page.waitForURL('/');
  });

  test('the footer has the copyright line and links to Terms and Privacy on every route', {
    tags: 'long',
  }, async () => {
    const routes = [...publicRoutes, '/dashboard', '/upload', '/account', paywall];
    await eachPage(routes, { as: creator }, async (page) => {
      const footer = page.getByRole('contentinfo');
      expect(await footer.getByText(/^© \d{4} Padlink$/).isVisible()).toBe(true);
      const terms = footer.getByRole('link', { name: 'Terms', exact: true });
      const privacy = footer.getByRole('link', { name: 'Privacy', exact: true });
      expect(await terms.getAttribute('href')).toBe('/terms');
      expect(await privacy.getAttribute('href')).toBe('/privacy');
    });
  });

  test('the links of the footer open the terms and the privacy page', {
    tags: 'long',
  }, async () => {
    const page = await openPage(app);
    await page.goto('/');
    await page.getByRole('contentinfo').getByRole('link', { name: 'Terms' }).click();
    await page.getByRole('heading', { level: 1, name: 'Terms' }).waitFor();
    await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).click();
    await page.getByRole('heading', { level: 1, name: 'Privacy' }).waitFor();
  });

  test('the title of the window names the page, on every route', { tags: 'long' }, async () => {
    const page = await openPage(app, { as: creator, expectedErrors: /404 \/not-there/ });
    for (const [path, title] of [
      ['/', 'Padlink: Upload. Share. Earn.'],
      ['/explore', 'Explore Paywall Links · Padlink'],
      ['/dashboard', 'Dashboard · Padlink'],
      ['/upload', 'Upload a File · Padlink'],
      ['/account', 'Account · Padlink'],
      [paywall, 'Paywalled Content · Padlink'],
      ['/failed', 'Payment Failed · Padlink'],
      ['/terms', 'Terms · Padlink'],
      ['/privacy', 'Privacy · Padlink'],
      ['/not-there', 'Page not found · Padlink'],
    ] as const) {
      await page.goto(path);
      expect(await page.title()).toBe(title);
    }
  });

  describe('on a small screen', () => {
    const toggle = (page: Page) => page.getByRole('button', { name: 'Menu' });
    const explore = (page: Page) => page.getByRole('link', { name: 'Explore', exact: true });

    /** What a screen reader is told of the button: the same that aria-expanded would say. */
    async function isExpanded(page: Page): Promise<boolean> {
      const session = await page.context().newCDPSession(page);
      const { nodes } = await session.send('Accessibility.getFullAXTree');
      await session.detach();
      const button = nodes.find(
        ({ role, name }) => role?.value === 'button' && name?.value === 'Menu',
      );
      return button?.properties?.find(({ name }) => name === 'expanded')?.value.value;
    }

    test('the bar is a menu that is closed at first and opens and closes by a click', async () => {
      const page = await openPage(app, { viewport: phone });
      await page.goto('/');
      expect(await explore(page).isVisible()).toBe(false);
      expect(await isExpanded(page)).toBe(false);
      await toggle(page).click();
      await explore(page).waitFor();
      expect(await isExpanded(page)).toBe(true);
      await toggle(page).click();
      await explore(page).waitFor({ state: 'hidden' });
      expect(await isExpanded(page)).toBe(false);
    });

    test('the menu opens by the keyboard, Escape closes it and gives the focus back', async () => {
      const page = await openPage(app, { viewport: phone });
      await page.goto('/terms');
      await toggle(page).focus();
      await page.keyboard.press('Enter');
      await explore(page).waitFor();
      await page.keyboard.press('Tab');
      await expectFocus(explore(page));
      await page.keyboard.press('Escape');
      await explore(page).waitFor({ state: 'hidden' });
      await expectFocus(toggle(page));
      await page.keyboard.press('Space');
      await explore(page).waitFor();
    });

    test('the menu leads on for a guest and for who is signed in, and a click beside closes it', {
      tags: 'long',
    }, async () => {
      for (const [person, name, path] of [
        [undefined, 'Login', '/login'],
        [creator, 'Dashboard', '/dashboard'],
      ] as const) {
        const page = await openPage(app, { viewport: phone, as: person });
        await page.goto('/explore');
        await toggle(page).click();
        await page.mouse.click(10, 600);
        await explore(page).waitFor({ state: 'hidden' });
        await toggle(page).click();
        await page.getByRole('link', { name, exact: true }).click();
        await page.waitForURL(path);
      }
    });

    test('the menu opens without JavaScript too', async () => {
      const page = await openPage(app, { viewport: phone, javaScript: false });
      await page.goto('/');
      expect(await explore(page).isVisible()).toBe(false);
      await toggle(page).click();
      await explore(page).click();
      await page.waitForURL('/explore');
    });

    test('there is no toggle where there is room for the whole bar', async () => {
      const page = await openPage(app, { viewport: { width: 1280, height: 700 } });
      await page.goto('/');
      expect(await toggle(page).isVisible()).toBe(false);
      expect(await explore(page).isVisible()).toBe(true);
    });
  });
});
