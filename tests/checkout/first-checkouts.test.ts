import { randomBytes } from 'node:crypto';
import type { Request } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { KEY_LIFETIME_MS } from '../../server/selling/access/claim-cookie.ts';
import { sellFile, signUp, waitUntilUnlocked } from '../factories/factories.ts';
import { payAt } from '../factories/payment.ts';
import { useShop } from '../factories/use-shop.ts';
import { openPage } from '../harness/browser.ts';
import { findFreePort } from '../harness/free-port.ts';
import { describeOnBothDatabases } from '../harness/on-both-databases.ts';
import { createPerson, type Person, postJson, readJson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { stripeOf } from '../harness/webhook.ts';
import { waitUntilAlive } from '../journeys/steps.ts';

const sandboxPort = await findFreePort();
const stripe = stripeOf(sandboxPort);
const newKey = () => randomBytes(20).toString('hex');

describeOnBothDatabases('first checkouts at once', (database) => {
  const { app, clock, seller, newBuyer } = useShop(database, sandboxPort);

  async function begin(person: Person, paywallId: string, key?: string): Promise<string> {
    const answer = await postJson(person, '/prod/checkout', { paywallId, key });
    return (await readJson<{ url: string }>(answer)).url;
  }
  const claimOf = ({ cookies }: Person) => cookies.get('padlink_claim');
  async function countSessions(link: string): Promise<number> {
    const { data } = await stripe.checkout.sessions.list({ limit: 100 });
    return data.filter(({ metadata }) => metadata?.link_id === link).length;
  }

  test('with one key are of one browser, and end as one', async () => {
    const { id } = await sellFile(seller);
    const key = newKey();
    // As many tabs, of which none has the cookie yet.
    const tabs = [newBuyer(), newBuyer(), newBuyer()];
    const urls = await Promise.all(tabs.map((tab) => begin(tab, id, key)));
    expect(new Set(urls).size).toBe(1);
    expect(await countSessions(id)).toBe(1);
    expect(new Set(tabs.map(claimOf)).size).toBe(1);
    const [first, second] = tabs as [Person, Person];
    expect((await payAt(first, urls[0] ?? '')).status).toBe(303);
    await waitUntilUnlocked(second, id);
  });

  test('of one browser are its own also for two links', async () => {
    const [one, two] = [await sellFile(seller), await sellFile(seller)];
    const key = newKey();
    const [left, right] = [newBuyer(), newBuyer()];
    const urls = await Promise.all([begin(left, one.id, key), begin(right, two.id, key)]);
    expect(urls[0]).not.toBe(urls[1]);
    expect(claimOf(left)).toBe(claimOf(right));
  });

  test('with other keys, or without any, are of two browsers', async () => {
    const { id } = await sellFile(seller);
    const people = [1, 2, 3, 4].map(newBuyer);
    const keys = [newKey(), newKey(), undefined, undefined];
    const urls = await Promise.all(people.map((person, at) => begin(person, id, keys[at])));
    expect(new Set(urls).size).toBe(4);
    expect(new Set(people.map(claimOf)).size).toBe(4);
  });

  test('are tied for a minute: whoever finds the key later holds nothing by it', async () => {
    const { id } = await sellFile(seller);
    const key = newKey();
    const buyer = newBuyer();
    await begin(buyer, id, key);
    const again = newBuyer();
    clock.ahead += KEY_LIFETIME_MS - 10_000;
    await begin(again, id, key);
    expect(claimOf(again)).toBe(claimOf(buyer));
    const late = newBuyer();
    clock.ahead += 10_001;
    await begin(late, id, key);
    expect(claimOf(late)).not.toBe(claimOf(buyer));
    // A browser that has its cookie keeps it, whatever it sends beside it.
    const held = claimOf(buyer);
    await begin(buyer, id, newKey());
    expect(claimOf(buyer)).toBe(held);
  });

  test('refuse a key that could be guessed', async () => {
    const { id } = await sellFile(seller);
    for (const key of ['1', 'a'.repeat(19), 'a'.repeat(101), 7]) {
      const answer = await postJson(newBuyer(), '/prod/checkout', { paywallId: id, key });
      expect([answer.status, createPerson(app).cookies.size]).toEqual([400, 0]);
    }
  });
});

describe('the page of a link', () => {
  const app = useApp();
  let link: string;

  beforeAll(async () => {
    link = `/p/${(await sellFile(await signUp(app))).id}`;
  });

  test('leads two tabs that are pressed at once to one checkout', async () => {
    const one = await openPage(app);
    const two = await one.context().newPage();
    const pages = [one, two];
    let arrived = 0;
    let goOn = () => {};
    const both = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await one.context().route('**/prod/checkout', async (route) => {
      arrived += 1;
      if (arrived === pages.length) goOn();
      await both;
      await route.continue();
    });
    for (const page of pages) {
      await page.goto(link);
      await page.bringToFront();
      await waitUntilAlive(page);
    }
    for (const page of pages) {
      await page
        .getByRole('button', { name: 'Unlock Now', exact: true })
        .click({ noWaitAfter: true });
    }
    for (const page of pages) await page.waitForURL(/\/sandbox\/checkout\//);
    expect(two.url()).toBe(one.url());
  });

  test('says whose a checkout is also where its form is sent before the page is alive', async () => {
    const page = await openPage(app);
    await page.route('**/assets/*.js', () => {});
    const sent: Request[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/prod/checkout')) sent.push(request);
    });
    await page.goto(link, { waitUntil: 'commit' });
    await page.getByRole('button', { name: 'Unlock Now', exact: true }).click();
    await page.waitForURL(/\/sandbox\/checkout\//);
    expect(new URLSearchParams(sent[0]?.postData() ?? '').get('key')).toMatch(/^\d{13}(\.\d+){5}$/);
  });
});
