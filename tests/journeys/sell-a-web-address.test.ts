import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLink, graphql, signUp } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import { createPerson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { payOnPage, unlockOnPage } from './steps.ts';

type Visit = { url: string; headers: IncomingHttpHeaders };

/** The seller's own site, elsewhere, which notes who comes. */
const visits: Visit[] = [];
const site = createServer((request, response) => {
  if (request.headers['sec-fetch-dest'] === 'document') {
    visits.push({ url: request.url ?? '', headers: request.headers });
  }
  response.setHeader('content-type', 'text/html').end('<h1>The course</h1>');
});
await once(site.listen(0, '127.0.0.1'), 'listening');
const siteOrigin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
afterAll(() => {
  site.closeAllConnections();
  site.close();
});

describe('a web address', () => {
  const app = useApp();
  let seller: Awaited<ReturnType<typeof signUp>>;

  beforeAll(async () => {
    seller = await signUp(app);
  });

  async function openForm(): Promise<Page> {
    const page = await openPage(app, { as: seller });
    await page.goto('/upload');
    await page.getByRole('button', { name: 'or sell a web address' }).click();
    await page.getByLabel('Price (USD)').fill('5');
    return page;
  }

  async function sell(page: Page, address: string): Promise<void> {
    await page.getByLabel('Web address').fill(address);
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
  }

  /** The only visit of the seller's site since the last call. */
  function takeVisit(): Visit {
    const [visit, ...more] = visits.splice(0);
    expect(more).toEqual([]);
    return visit as Visit;
  }

  function expectNothingTold({ headers }: Visit): void {
    expect(headers.referer).toBeUndefined();
    expect(headers.cookie).toBeUndefined();
  }

  test('is sold, paid for and opened, and its site learns nothing of where the buyer came from', {
    tags: 'long',
  }, async () => {
    const form = await openForm();
    const path = '/курс/一?übung=♥#zwei';
    await sell(form, `${siteOrigin}${path}`);
    const address = await form.getByLabel('Your paywall link:').inputValue();

    const buyer = await openPage(app);
    await unlockOnPage(buyer, address);
    await payOnPage(buyer);
    const content = buyer.waitForResponse(/\/p\/[0-9a-f]{8}\/content$/);
    await buyer.getByRole('link', { name: /open/i }).click();
    await buyer.getByRole('heading', { name: 'The course' }).waitFor();
    expect((await content).status()).toBe(303);
    const wanted = new URL(path, siteOrigin);
    expect(buyer.url()).toBe(wanted.href);
    const visit = takeVisit();
    expect(visit.url).toBe(wanted.pathname + wanted.search);
    expectNothingTold(visit);

    await buyer.goto(address);
    await buyer.getByText('This content is unlocked for you.').waitFor();
    await buyer.getByRole('button', { name: 'Open', exact: true }).click();
    await buyer.getByRole('heading', { name: 'The course' }).waitFor();
    expectNothingTold(takeVisit());

    const other = await openPage(app);
    await other.goto(address);
    await other.getByText('This content is locked behind a paywall.').waitFor();
    await other.goto(`${address}/content`);
    await other.getByText('This content is locked behind a paywall.').waitFor();
    expect(await other.content()).not.toContain(siteOrigin);
    expect(visits).toEqual([]);
  });

  test.each([
    ['with JavaScript', true],
    ['without JavaScript', false],
  ])('that is free leads to its site %s', { tags: 'long' }, async (_title, javaScript) => {
    const { id } = await createLink(seller, {
      type: 'link',
      url: `${siteOrigin}/free`,
      unlocked: true,
    });
    const visitor = await openPage(app, { javaScript });
    await visitor.goto(`/p/${id}`);
    await visitor.getByRole('button', { name: 'Unlock Now', exact: true }).click();
    await visitor.getByRole('heading', { name: 'The course' }).waitFor();
    expectNothingTold(takeVisit());
  });

  test.each([
    ['javascript:alert(1)', 'Enter a full web address that begins with https:// or http://.'],
    ['data:text/html,hello', 'Enter a full web address that begins with https:// or http://.'],
    ['ftp://example.com/', 'Enter a full web address that begins with https:// or http://.'],
    ['a course', 'Enter a full web address that begins with https:// or http://.'],
    ['https://me:secret@example.com/', 'The web address cannot contain a password.'],
  ])('is refused with the reason beside it: %s', { tags: 'long' }, async (address, reason) => {
    await expectRefusal(address, reason);
  });

  test('that is too long is refused with the reason beside it, whatever its script', {
    tags: 'long',
  }, async () => {
    await expectRefusal(`https://example.com/${'x'.repeat(2048)}`, 'This web address is too long.');
    await expectRefusal(`https://example.com/${'あ'.repeat(400)}`, 'This web address is too long.');
  });

  async function expectRefusal(address: string, reason: string): Promise<void> {
    const form = await openForm();
    await sell(form, address);
    const field = form.getByLabel('Web address');
    await form.getByRole('alert').getByText(reason, { exact: true }).waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await field.inputValue()).toBe(address);
    expect(await form.getByText('Your paywall link:').count()).toBe(0);
  }

  test('typed without its scheme is sold as https', async () => {
    const form = await openForm();
    await sell(form, 'example.com/course');
    const sold = await form.getByLabel('Your paywall link:').inputValue();
    const query = `{ getPaywallLink(id: "${sold.slice(-8)}") { url } }`;
    expect(await graphql(seller, query)).toEqual({
      getPaywallLink: { url: 'https://example.com/course' },
    });
  });

  test('as long as one may be is sold whole', async () => {
    const url = `${siteOrigin}/`.padEnd(2048, 'x');
    const { id } = await createLink(seller, { type: 'link', url, unlocked: true });
    const answer = await createPerson(app).fetch(`/p/${id}/content`);
    expect(answer.headers.get('location')).toBe(url);
    const tooLong = createLink(seller, { type: 'link', url: `${siteOrigin}/${'あ'.repeat(400)}` });
    await expect(tooLong).rejects.toThrow('INVALID_URL');
  });
});
