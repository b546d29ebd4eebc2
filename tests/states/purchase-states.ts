import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { postForm } from '../factories/cart-steps.ts';
import { readMail, waitUntilUnlocked } from '../factories/factories.ts';
import { CARDS, checkOut, payAt } from '../factories/payment.ts';
import { createPerson, postJson, readJson } from '../harness/person.ts';
import { payOnPage, waitUntilAlive } from '../journeys/steps.ts';
import type { Scene } from './scene.ts';
import type { State } from './state.ts';

/** From the provider's hosted page to the way back. */
export const PURCHASE_STATES: State[] = [
  { name: 'checkout', visit: openCheckout },
  {
    name: 'checkout-faulty',
    visit: openCheckout,
    async arrange(page) {
      await page.getByRole('button', { name: 'Pay', exact: true }).click();
      await page.locator('[aria-invalid=true]').first().waitFor();
    },
    expectedErrors: /422 \/sandbox\/checkout\/cs_test_\w+/,
  },
  {
    name: 'checkout-declined',
    visit: openCheckout,
    arrange: (page) => payBy(page, CARDS.declines),
    expectedErrors: /402 \/sandbox\/checkout\/cs_test_\w+/,
  },
  {
    name: 'checkout-confirmation',
    visit: openCheckout,
    async arrange(page) {
      await payOnPage(page, CARDS.asksForConfirmation);
      await page.getByRole('heading', { name: 'Confirm your payment' }).waitFor();
    },
  },
  {
    name: 'checkout-unknown',
    visit: () => ({ path: '/sandbox/checkout/cs_test_unknown' }),
    expectedErrors: /404 \/sandbox\/checkout\/cs_test_unknown/,
  },
  { name: 'cart', visit: fillCart },
  {
    name: 'cart-free',
    async visit({ origin, links }) {
      const person = createPerson({ origin });
      await postForm(person, '/cart/add', { paywallId: links.coded, code: 'REVIEWER' });
      return { path: '/cart', person };
    },
  },
  { name: 'cart-empty', visit: () => ({ path: '/cart' }) },
  { name: 'success', visit: () => ({ path: '/success' }) },
  {
    name: 'success-file',
    visit: ({ success, buyer }) => ({ path: success.file, person: buyer }),
  },
  {
    name: 'success-license',
    visit: ({ success, licensee }) => ({ path: success.licensed, person: licensee }),
  },
  {
    name: 'success-address',
    visit: ({ success, buyer }) => ({ path: success.address, person: buyer }),
  },
  {
    name: 'success-opening',
    visit: ({ success, buyer }) => ({ path: success.address, person: buyer }),
    async arrange(page) {
      await page.route('**/content*', (route) => route.fulfill({ status: 204 }));
      await waitUntilAlive(page);
      await page.getByRole('link', { name: /^Open/ }).click();
      await page.getByText('Opening...').waitFor();
    },
  },
  {
    name: 'success-gift',
    async visit(scene) {
      const { success, person } = await giveFile(scene);
      return { path: success, person };
    },
  },
  {
    name: 'gift-given',
    async visit(scene) {
      const { giver } = await giveFile(scene);
      const { text } = await readMail(scene, giver, /^Your gift/);
      return { path: /\/gifts\/\S+/.exec(text)?.[0] ?? '' };
    },
  },
  {
    name: 'gift-refused',
    async visit(scene) {
      const { giver } = await giveFile(scene);
      const { text } = await readMail(scene, giver, /^Your gift/);
      return { path: /\/gifts\/\S+/.exec(text)?.[0] ?? '' };
    },
    async arrange(page) {
      await page.getByLabel('Recipient’s email address').fill('ann@exmaple');
      await page.getByRole('button', { name: 'Send it again' }).click();
      await page.getByText('Enter the email address').waitFor();
    },
    expectedErrors: /409 \/gifts\/[\w.-]+/,
  },
  {
    name: 'gift-received',
    async visit(scene) {
      const { recipient } = await giveFile(scene);
      const { text } = await readMail(scene, recipient);
      return { path: /\/access\/\S+/.exec(text)?.[0] ?? '' };
    },
  },
  { name: 'bought-twice', visit: buyTwice },
  {
    name: 'bought-twice-returned',
    visit: buyTwice,
    async arrange(page) {
      await page.getByRole('button', { name: 'Give this purchase back' }).click();
      await page.getByText('Your first purchase stays yours.').waitFor();
    },
  },
  { name: 'success-elsewhere', visit: ({ success }) => ({ path: success.file }) },
  { name: 'success-confirming', visit: confirm },
  { name: 'success-processing', visit: ({ checkouts }) => checkouts.underWay },
  { name: 'success-expired', visit: ({ checkouts }) => checkouts.expired },
  { name: 'success-ended', visit: ({ checkouts }) => checkouts.returned },
  {
    name: 'success-suspended',
    visit: ({ success, disputer }) => ({ path: success.disputed, person: disputer }),
    async arrange(page) {
      await page.getByRole('heading', { name: 'Purchase on hold' }).waitFor();
    },
  },
  {
    name: 'success-failed',
    visit: ({ success }) => ({ path: success.failing, person: success.failingBuyer }),
    async arrange(page) {
      await page.getByRole('heading', { name: 'Payment Failed' }).waitFor();
    },
  },
  { name: 'purchases', visit: ({ collector }) => ({ path: '/purchases', person: collector }) },
  { name: 'purchases-none', visit: () => ({ path: '/purchases' }) },
  {
    name: 'purchases-asked',
    visit: () => ({ path: '/purchases' }),
    async arrange(page) {
      await page.getByLabel('Email address you paid with').fill('ada@exmaple.com');
      await page.getByRole('button', { name: 'Send the link' }).click();
      await page.getByText('is on its way to that address').waitFor();
    },
  },
  {
    name: 'purchases-forget',
    visit: ({ collector }) => ({ path: '/purchases?forget=ask', person: collector }),
  },
  {
    name: 'purchases-failed',
    visit: ({ collector }) => ({ path: '/purchases?after=nonsense', person: collector }),
    expectedErrors: /400 \/purchases\?after=nonsense/,
  },
  {
    name: 'purchases-link-expired',
    visit: () => ({ path: '/purchases/open/expired' }),
    expectedErrors: /404 \/purchases\/open\/expired/,
  },
  { name: 'purchases-link', visit: findPurchasesLink },
  { name: 'access-code', visit: ({ sharedLink }) => ({ path: `${sharedLink}/code` }) },
  {
    name: 'access-code-sent',
    visit: ({ sharedLink }) => ({ path: `${sharedLink}/code?sent=yes` }),
  },
  {
    name: 'access-code-wrong',
    visit: ({ sharedLink }) => ({ path: `${sharedLink}/code?sent=yes` }),
    async arrange(page) {
      await page.getByLabel('Code').fill('000000');
      await page.getByRole('button', { name: 'Open your purchase' }).click();
      await page.getByRole('alert').waitFor();
    },
    expectedErrors: /400 \/access\/[\w.-]+\/code\?sent=yes/,
  },
];

/** Somebody buys the file for somebody else. */
async function giveFile({ origin, links }: Scene) {
  const person = createPerson({ origin });
  const id = randomUUID().slice(0, 8);
  const [giver, recipient] = [`bob.${id}@example.com`, `ann.${id}@example.com`];
  const gift = { email: recipient, message: 'Happy birthday, Ann!' };
  const begun = await postJson(person, '/prod/checkout', { paywallId: links.file, gift });
  const { url } = await readJson<{ url: string }>(begun);
  const paid = await payAt(person, url, CARDS.pays, giver);
  return { person, giver, recipient, success: paid.headers.get('location') ?? '' };
}

/** By one address in two browsers. */
async function buyTwice({ origin, links }: Scene) {
  const first = `${randomUUID().slice(0, 8)}@example.com`;
  const second = first.toUpperCase();
  for (const email of [first, second]) {
    const person = createPerson({ origin });
    await payAt(person, await checkOut(person, links.file), CARDS.pays, email);
    await waitUntilUnlocked(person, links.file);
  }
  const { text } = await readMail({ origin }, second);
  return { path: /\/returns\/\S+/.exec(text)?.[0] ?? '' };
}

async function findPurchasesLink({ origin, buyerEmail: email }: Scene) {
  const body = new URLSearchParams({ email });
  await createPerson({ origin }).fetch('/purchases', { method: 'POST', body });
  const { text } = await readMail({ origin }, email, /^Your purchases$/);
  return { path: /\/purchases\/open\/\S+/.exec(text)?.[0] ?? '' };
}

/** What can be bought, by a code and at another price, and what cannot. */
async function fillCart({ origin, links }: Scene) {
  const person = createPerson({ origin });
  for (const paywallId of [links.file, links.coded, links.named, links.paused]) {
    await postForm(person, '/cart/add', { paywallId });
  }
  return { path: '/cart', person };
}

async function openCheckout({ origin, links }: Scene) {
  const { pathname } = new URL(await checkOut(createPerson({ origin }), links.file));
  return { path: pathname };
}

async function payBy(page: Page, card: string): Promise<void> {
  await payOnPage(page, card);
  await page.getByRole('alert').waitFor();
}

/** Back from the checkout before the provider says that it was paid. */
async function confirm({ origin, links }: Scene) {
  const person = createPerson({ origin });
  const sessionId = new URL(await checkOut(person, links.file)).pathname.split('/').at(-1);
  return { path: `/success?session_id=${sessionId}`, person };
}
