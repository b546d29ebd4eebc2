import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createLink, graphql, sellFile, signUp, updateLink } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import { createPerson, type Person, postJson, readJson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { waitUntilAlive } from '../journeys/steps.ts';

const TITLE = 'Algebra <in> "a week"';

describe('the button on a creator’s own site', () => {
  const app = useApp();
  let creator: Person;
  let id: string;

  beforeAll(async () => {
    creator = await signUp(app);
    const input = { type: 'link', url: 'https://example.com/', title: TITLE, price: 499 };
    ({ id } = await createLink(creator, input));
  });

  /** A page of another site: 127.0.0.1 is one for localhost. Returns its address. */
  async function serve(html: string): Promise<string> {
    const server = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(`<!doctype html><title>My site</title><link href="data:," rel="icon">${html}`);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  /** What the owner's page offers to copy. */
  async function copyCode(name: string): Promise<string> {
    const page = await openPage(app, { as: creator });
    await page.goto(`/p/${id}`);
    await waitUntilAlive(page);
    return page.getByLabel(`HTML of: ${name}`, { exact: true }).inputValue();
  }

  async function expectButtonLeadsHere(page: Page): Promise<void> {
    const button = page.getByRole('link', { name: `${TITLE} · $4.99`, exact: true });
    await button.waitFor();
    expect(await button.evaluate((link) => getComputedStyle(link).backgroundColor)).toBe(
      'rgb(250, 191, 54)',
    );
    await button.click();
    await page.waitForURL(`${app.origin}/p/${id}`);
    await page.getByRole('button', { name: 'Unlock Now' }).click();
    await page.waitForURL(/\/sandbox\/checkout\//);
  }

  test('the plain HTML that the owner copies is a styled link that leads to the checkout', {
    tags: 'long',
  }, async () => {
    const code = await copyCode('Button');
    expect(code).not.toMatch(/script|iframe/);
    const page = await openPage(app);
    await page.goto(await serve(code));
    await expectButtonLeadsHere(page);
  });

  test('the script makes a button with title and price of the link, without cookies and from this site alone', {
    tags: 'long',
  }, async () => {
    const code = await copyCode('Button that stays up to date');
    const address = await serve(`${code}<a data-padlink="00000000" href="/mine">My link</a>`);
    const page = await openPage(app, { expectedErrors: /404 \/p\/00000000\/offer\.json/ });
    const asked: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== new URL(address).origin) asked.push(request.url());
      expect(request.headers().cookie).toBeUndefined();
    });
    await page.goto(address);
    await page.getByRole('link', { name: `${TITLE} · $4.99`, exact: true }).waitFor();
    await page.getByRole('link', { name: 'My link', exact: true }).waitFor();
    const own = asked.filter((url) => !url.startsWith('data:'));
    expect(own.every((url) => url.startsWith(`${app.origin}/`))).toBe(true);
    expect(await page.context().cookies()).toEqual([]);
    await expectButtonLeadsHere(page);
  });

  test('the script is small and cached for an hour, and what it asks for tells what the page tells a guest', async () => {
    const visitor = createPerson(app);
    const script = await visitor.fetch('/embed.js');
    expect((await script.bytes()).length).toBeLessThan(1_500);
    expect(script.headers.get('cache-control')).toBe('public, max-age=3600');
    expect(script.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    const offer = await visitor.fetch(`/p/${id}/offer.json`);
    expect(offer.headers.get('access-control-allow-origin')).toBe('*');
    expect(offer.headers.getSetCookie()).toEqual([]);
    expect(offer.headers.get('cache-control')).toBe('public, max-age=60');
    const told = { title: TITLE, id, url: `${app.origin}/p/${id}`, description: null };
    const buy = {
      method: 'POST',
      url: `${app.origin}/prod/checkout`,
      contentType: 'application/json',
      body: { paywallId: id },
    };
    const common = { seller: null, currency: 'usd', taxAdded: false, contact: null };
    const limits = { least: null, left: null, until: null };
    expect(await offer.json()).toEqual({
      ...told,
      ...common,
      ...limits,
      price: '$4.99',
      amount: 499,
      available: true,
      buy,
      delivers: { type: 'link', version: 1, contents: [] },
      gift: { url: `${app.origin}/p/${id}?gift=` },
      terms: `${app.origin}/terms`,
    });
    const asked = await (await visitor.fetch(`/p/${id}?gift=`)).text();
    expect(asked).toContain('name="giftEmail"');
    const given = { ...buy.body, gift: { email: 'ann@example.com' } };
    const paying = await postJson(createPerson(app), new URL(buy.url).pathname, given);
    expect((await readJson<{ url: string }>(paying)).url).toContain('/sandbox/checkout/');
    const bought = await postJson(createPerson(app), new URL(buy.url).pathname, buy.body);
    expect((await readJson<{ url: string }>(bought)).url).toContain('/sandbox/checkout/');
    const sold = await sellFile(creator, { name: 'hidden-name.pdf' });
    const read = async () => (await visitor.fetch(`/p/${sold.id}/offer.json`)).text();
    const contents = JSON.parse(await read()).delivers.contents;
    expect(contents).toMatchObject([{ size: expect.any(Number), mediaType: expect.any(String) }]);
    expect(await read()).not.toContain('hidden-name');
    await updateLink(creator, { id: sold.id, copies: 3 });
    expect(JSON.parse(await read())).toMatchObject({ left: 3, available: true });
    await updateLink(creator, { id: sold.id, unlocked: true, paused: true });
    const free = { price: 'Free', amount: 0, buy: null, gift: null, available: false };
    expect(JSON.parse(await read())).toMatchObject(free);
    const { id: gone } = await createLink(creator, { type: 'link', url: 'https://example.com/' });
    await graphql(creator, `mutation { deletePaywallLink(input: { id: "${gone}" }) { id } }`);
    expect((await visitor.fetch(`/p/${gone}/offer.json`)).status).toBe(404);
  });
});
