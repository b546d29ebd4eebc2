import { randomUUID } from 'node:crypto';
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { MAX_CART_LINES } from '../../contract/limits.ts';
import { PAGE_NAMES, PAGE_WEIGHTS, type PageName } from '../../contract/pages.ts';
import { copyPurchase, findOriginal } from '../factories/copy-purchase.ts';
import {
  createLink,
  graphql,
  readMail,
  sellFile,
  signUp,
  updateLink,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { BUYER_EMAIL, payFor } from '../factories/payment.ts';
import { createSecretKey } from '../factories/secret-key.ts';
import { signUpOperator } from '../factories/sign-up-operator.ts';
import { eventually } from '../harness/eventually.ts';
import { createPerson, type Person } from '../harness/person.ts';
import type { App } from '../harness/start-app.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';
import { fillEvent } from '../states/fill-event.ts';

const ENTRIES = 50;
const TITLE = 'Lecture notes on thermodynamics, with worked exercises, week';

/** By which a page is known, so that none stands in for another. */
const HEADINGS: Record<PageName, string> = {
  landing: '>Padlink</h1>',
  login: '>Sign in</h1>',
  dashboard: 'Welcome back, ',
  upload: '>Upload a File</h1>',
  account: '>Account</h1>',
  webhooks: '>Webhooks</h1>',
  paywall: '>Paywalled Content</h1>',
  explore: '>Explore Paywall Links</h1>',
  seller: '>Ada</h1>',
  cart: '>Your cart</h1>',
  success: '>Payment Successful</h1>',
  failed: '>Payment Failed</h1>',
  terms: '>Terms</h1>',
  privacy: '>Privacy</h1>',
  access: '>Your purchase</h1>',
  sales: '>Your sales</h1>',
  money: '>Your money</h1>',
  codes: '>Codes and gifts</h1>',
  licenses: '>License keys</h1>',
  bundle: '>New bundle</h1>',
  choices: '>Choices</h1>',
  sources: '>Where visitors come from</h1>',
  operator: '>Operator</h1>',
  'operator-acts': '>Activity log</h1>',
  'operator-links': '>Links</h1>',
  'operator-reports': '>Reports</h1>',
  'operator-sellers': '>Sellers</h1>',
  'operator-purchases': '>Purchases</h1>',
  'operator-setup': '>Set up this site</h1>',
  'operator-undelivered': '>Undelivered</h1>',
  purchases: '>Your purchases</h1>',
  verify: '>Verify a signed receipt</h1>',
  mailbox: '>Mailbox</h1>',
  offline: '>You are offline</h1>',
  report: '>Report this link</h1>',
  'taken-down': '>Taken down</h1>',
  'not-found': '>Page not found</h1>',
  error: '>Something went wrong</h1>',
};

test('every page has a limit of its weight', () => {
  const modules = globSync('web/**/*.page.tsx');
  expect(modules.map((file) => basename(file, '.page.tsx')).sort()).toEqual([...PAGE_NAMES].sort());
});

describe('the document of the page', () => {
  const app = useApp();
  let visits: Record<PageName, { path: string; person?: Person; fill?: () => Promise<void> }>;

  beforeAll(async () => {
    const creator = await signUpOperator(app);
    for (let week = 1; week < ENTRIES; week += 1) {
      await createLink(creator, {
        type: 'link',
        url: 'https://a.example/',
        title: `${TITLE} ${week}`,
      });
    }
    const { id } = await sellFile(creator, { name: 'thermodynamics.pdf' });
    const taken = await createLink(creator, { type: 'link', url: 'https://a.example/' });
    await withDatabase(app, (db) =>
      db.updateTable('link').set({ taken_down_at: 1 }).where('id', '=', taken.id).execute(),
    );
    await createSecretKey(creator, 'Shop importer');
    const buyer = createPerson(app);
    const success = await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
    const receipt = await readMail(app, BUYER_EMAIL);
    const collector = createPerson(app);
    await payFor(collector, id);
    await waitUntilUnlocked(collector, id);
    await fillPurchases(app);
    await fillOffice(app, id);
    await openSellerPage(creator);
    const code = 'mutation ($input: CreateDiscountInput!) { createDiscount(input: $input) }';
    for (let week = 1; week <= ENTRIES; week += 1) {
      await graphql(creator, code, { input: { code: `WEEK-${week}`, percent: 10, links: [id] } });
    }
    visits = {
      landing: { path: '/' },
      login: { path: '/login' },
      dashboard: { path: '/dashboard', person: creator },
      upload: { path: '/upload', person: creator },
      account: { path: '/account', person: creator },
      webhooks: { path: await fillWebhooks(app, creator), person: creator },
      paywall: { path: `/p/${id}` },
      explore: { path: '/explore' },
      seller: { path: '/s/ada' },
      cart: { path: '/cart', person: await fillCart(app) },
      success: { path: success, person: buyer },
      failed: { path: '/failed' },
      terms: { path: '/terms' },
      privacy: { path: '/privacy' },
      access: { path: receipt.text.match(/\/access\/\S+/)?.[0] ?? '' },
      sales: { path: '/dashboard/sales', person: creator },
      money: { path: '/dashboard/money', person: creator },
      codes: { path: '/dashboard/codes', person: creator },
      licenses: { path: await fillLicenses(creator), person: creator },
      bundle: { path: '/dashboard/bundle', person: creator },
      choices: { path: `/dashboard/choices?link=${id}`, person: creator },
      sources: { path: '/dashboard/sources', person: creator },
      operator: { path: '/operator', person: creator },
      'operator-acts': { path: '/operator/acts', person: creator },
      'operator-links': { path: '/operator/links', person: creator },
      'operator-reports': { path: '/operator/reports', person: creator },
      'operator-sellers': { path: '/operator/sellers', person: creator },
      'operator-purchases': {
        path: `/operator/purchases?search=${BUYER_EMAIL}`,
        person: creator,
      },
      'operator-setup': { path: '/operator/setup', person: creator },
      'operator-undelivered': { path: '/operator/undelivered', person: creator },
      purchases: { path: '/purchases', person: collector },
      verify: { path: '/verify' },
      // Filled when it is opened: what happens on the other pages is mailed about.
      mailbox: { path: '/mailbox', fill: () => fillMailbox(app) },
      offline: { path: '/offline' },
      report: { path: `/p/${id}/report` },
      'taken-down': { path: `/p/${taken.id}` },
      'not-found': { path: '/nowhere' },
      error: { path: '/login/%' },
    };
  });

  test.each(PAGE_NAMES)('%s keeps to its limit', async (name) => {
    const { path, person = createPerson(app), fill } = visits[name];
    await fill?.();
    const { headers, html } = await load(path, person);
    expect(headers.get('content-encoding')).toBe('br');
    const { scripts, document } = PAGE_WEIGHTS[name];
    expect(html).toContain(HEADINGS[name]);
    expect(Number(headers.get('content-length') ?? Number.NaN)).toBeLessThanOrEqual(document);
    expect(/<script[^>]+src=/.test(html)).toBe(scripts > 0);
  });
});

async function fillLicenses(creator: Person): Promise<string> {
  const { id } = await createLink(creator, { type: 'link', url: 'https://a.example/' });
  await updateLink(creator, { id, licenses: 'list', devices: 3 });
  const keys = Array.from({ length: ENTRIES }, () => randomUUID().toUpperCase()).join('\n');
  const add = 'mutation ($id: ID!, $keys: String!) { addLicenseKeys(linkId: $id, keys: $keys) }';
  await graphql(creator, add, { id, keys });
  return `/dashboard/licenses?link=${id}&show=unsold`;
}

async function openSellerPage(creator: Person): Promise<void> {
  await graphql(
    creator,
    `mutation ($about: String, $links: [String!]!) {
      setSellerName(name: "Ada")
      setSellerPage(handle: "ada", about: $about, links: $links)
    }`,
    {
      about: 'Lecture notes with worked exercises, for everybody who has to pass. '.repeat(7),
      links: [1, 2, 3, 4, 5].map((number) => `https://site-${number}.example/ada-lovelace`),
    },
  );
}

/** @returns the page of a webhook that was told of fifty events */
async function fillWebhooks(app: App, owner: Person): Promise<string> {
  const { createWebhook } = await graphql<{ createWebhook: { webhook: { id: string } } }>(
    owner,
    'mutation { createWebhook(url: "https://shop.example/hooks") { webhook { id } } }',
  );
  const { id } = createWebhook.webhook;
  await withDatabase(app, async (db) => {
    // One time for all: the milliseconds between them on a busy machine would have a weight.
    const now = Date.now();
    for (let number = 0; number < ENTRIES; number += 1) {
      await fillEvent(db, id, now - number * 1_000);
    }
  });
  return `/account/webhooks?webhook=${id}`;
}

async function fillMailbox(app: App): Promise<void> {
  await withDatabase(app, async (db) => {
    const coming = db.selectFrom('job').where('lane', '=', 'mail').select('kind');
    await eventually(async () => expect(await coming.execute()).toEqual([]));
    // The longest of those with a code, whichever numbers the codes are.
    const mails = db
      .selectFrom('mailbox_message')
      .selectAll()
      .where('subject', 'like', '% code')
      .orderBy(({ fn }) => fn('length', ['text']), 'desc');
    const mail = await mails.executeTakeFirstOrThrow();
    await db.deleteFrom('mailbox_message').execute();
    for (let number = 0; number < ENTRIES; number += 1) {
      await db
        .insertInto('mailbox_message')
        .values({ ...mail, id: `copy-${number}` })
        .execute();
    }
  });
}

/** Has whoever bought last hold fifty purchases. */
async function fillPurchases(app: App): Promise<void> {
  await withDatabase(app, async (db) => {
    const newest = db.selectFrom('purchase').selectAll().orderBy('settled_at', 'desc').limit(1);
    const purchase = await newest.executeTakeFirstOrThrow();
    const original = await findOriginal(db, purchase.link_id);
    const { claim_hash } = original.purchase;
    for (let number = 1; number < ENTRIES; number += 1) {
      const id = randomUUID();
      await copyPurchase(db, original, id, {
        seller_name: 'Physics made easy',
        title: `${TITLE} ${number}`,
      });
      await db.insertInto('grant_claim').values({ grant_id: id, claim_hash }).execute();
    }
  });
}

/** Has operators see fifty accounts, reports and purchases that did not arrive. */
const REPORTED_AT = Date.UTC(2026, 10, 1);

async function fillOffice(app: App, linkId: string): Promise<void> {
  await withDatabase(app, async (db) => {
    const account = await db.selectFrom('user').selectAll().executeTakeFirstOrThrow();
    for (let number = 1; number < ENTRIES; number += 1) {
      await db
        .insertInto('user')
        .values({ ...account, id: `copy-${number}`, email: `physicist-${number}@example.com` })
        .execute();
    }
    for (let number = 0; number < ENTRIES; number += 1) {
      const words = `The exercises of week ${number} are not worked.`;
      const report = { id: randomUUID(), link_id: linkId, reason: 'fraud', words } as const;
      await db
        .insertInto('report')
        .values({
          ...report,
          email: null,
          created_at: REPORTED_AT + number,
          closed_at: null,
        })
        .execute();
    }
    await db.updateTable('purchase').set({ undelivered_at: 1 }).execute();
  });
}

async function load(path: string, person: Person) {
  const answer = await person.fetch(path, {
    headers: { accept: 'text/html', 'accept-encoding': 'br' },
  });
  return { headers: answer.headers, html: await answer.text() };
}

/** As many links as a cart holds. */
async function fillCart(app: App): Promise<Person> {
  const [seller, person] = [await signUp(app), createPerson(app)];
  for (let week = 1; week <= MAX_CART_LINES; week += 1) {
    const { id } = await createLink(seller, {
      type: 'link',
      url: 'https://example.com/notes',
      price: 500,
      title: `${TITLE} ${week}`,
    });
    await person.fetch('/cart/add', {
      method: 'POST',
      body: new URLSearchParams({ paywallId: id }),
    });
  }
  return person;
}
