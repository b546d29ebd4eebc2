import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { openPage } from '../browser.ts';
import { createLink, sellFile, signUp } from '../factories.ts';
import { checkOut, payFor } from '../payment.ts';
import { createPerson, type Person } from '../person.ts';
import { useApp } from '../use-app.ts';

const routes = [
  '/',
  '/login',
  '/login?mode=sign-up',
  '/dashboard',
  '/upload',
  '/account',
  '/explore',
  '/p/:link',
  '/p/:bought',
  '/p/00000000',
  '/success',
  '/success:session',
  '/success?session_id=unknown',
  '/failed',
  '/terms',
  '/privacy',
  '/mailbox',
  '/not-there',
  ':checkout',
];

describe.each(['light', 'dark'] as const)('accessibility in the %s theme', (colorScheme) => {
  const app = useApp();
  let creator: Person;
  let buyer: Person;
  const addresses: Record<string, string> = {};

  beforeAll(async () => {
    creator = await signUp(app);
    buyer = createPerson(app);
    const sold = await sellFile(creator, { price: 499 });
    await createLink(creator, { type: 'link', url: 'https://example.com/', title: 'A room' });
    const success = new URL(await payFor(buyer, sold.id));
    Object.assign(addresses, {
      ':link': (await sellFile(creator)).id,
      ':bought': sold.id,
      ':session': success.search,
      ':checkout': new URL(await checkOut(createPerson(app), sold.id)).pathname,
    });
  });

  function resolve(route: string): string {
    return route.replace(/:\w+/, (name) => addresses[name] ?? name);
  }

  async function open(route: string): Promise<Page> {
    const person = /dashboard|upload|account/.test(route) ? creator : buyer;
    // /login leads away whoever is signed in; the buyer is a guest.
    const page = await openPage(app, {
      as: person,
      expectedErrors: /404/,
      context: { colorScheme, reducedMotion: 'reduce' },
    });
    await page.goto(resolve(route));
    return page;
  }

  test.each(routes)('%s has no violation and fits a phone of 320 pixels', async (route) => {
    const page = await open(route);
    const { violations } = await new AxeBuilder({ page }).analyze();
    const faults = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html)}`);
    expect(faults).toEqual([]);
    await page.setViewportSize({ width: 320, height: 700 });
    expect(await findOverflow(page)).toEqual([]);
  });
});

/** What sticks out of the page to the right; empty where nothing has to be scrolled sideways. */
function findOverflow(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    // Widths and media queries follow a new viewport with the next frame.
    for (const _frame of [1, 2]) await new Promise((drawn) => requestAnimationFrame(drawn));
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const all = [...document.body.querySelectorAll('*')];
    return all
      .filter((element) => element.getBoundingClientRect().right > clientWidth)
      .map((element) => `${element.tagName} ${element.className}`);
  });
}
