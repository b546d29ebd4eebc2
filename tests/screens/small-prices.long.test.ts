import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { createLink, seeLink, signUp } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import { startStripeStandIn } from '../harness/stripe-stand-in.ts';
import { useApp } from '../harness/use-app.ts';
import { waitUntilAlive } from '../journeys/steps.ts';
import { expectFault } from './expect-fault.ts';

const stripe = await startStripeStandIn();
afterAll(stripe.stop);

const notes = { name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('notes') };
const NOTHING = 'You receive $0.00: the fee of 5% plus $0.30 takes all of it.';

const price = (page: Page) => page.getByLabel('Price (USD)');
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const meaning = (page: Page, said: string) =>
  page.locator('output').getByText(said, { exact: true }).waitFor();

describe('a price of one cent', () => {
  const app = useApp();

  test('is taken by the upload form and the edit dialog, which say what is left of it', async () => {
    const seller = await signUp(app);
    const page = await openPage(app, { as: seller });
    await page.goto('/upload');
    await meaning(page, '$0.01 or more. The fee is 5% plus $0.30 per sale.');
    await page.getByLabel('Choose File').setInputFiles(notes);
    await price(page).fill('0.01');
    await meaning(page, `Buyers pay $0.01. ${NOTHING}`);
    await press(page, 'Upload');
    const address = await page.getByLabel('Your paywall link:').inputValue();
    expect(await seeLink(seller, address.slice(-8))).toMatchObject({ price: 1 });
    const { id } = await createLink(seller, { type: 'link', url: 'https://example.com/' });
    await page.goto(`/dashboard?edit=${id}`);
    await waitUntilAlive(page);
    await price(page).fill('0.01');
    await meaning(page, `Buyers pay $0.01. ${NOTHING}`);
    await press(page, 'Save');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await seeLink(seller, id)).toMatchObject({ price: 1 });
  });
});

describe('where Stripe charges cards', () => {
  const app = useApp({ env: stripe.env, overrides: stripe.overrides });
  const REASON = 'Cards cannot be charged less than $0.50.';
  const TERMS =
    '$0.50 or more, because cards cannot be charged less. The fee is 5% plus $0.30 per sale.';

  test('the forms say so beside the price, and refuse a smaller one with that reason', async () => {
    const seller = await signUp(app);
    const page = await openPage(app, { as: seller });
    await page.goto('/upload');
    await meaning(page, TERMS);
    await page.getByLabel('Choose File').setInputFiles(notes);
    await price(page).fill('0.49');
    await meaning(page, REASON);
    await press(page, 'Upload');
    await expectFault(page, price(page), REASON);
    await meaning(page, TERMS);
    await price(page).fill('0');
    await press(page, 'Upload');
    await expectFault(page, price(page), 'Enter a valid price greater than $0.');
    const { id } = await createLink(seller, { type: 'link', url: 'https://example.com/' });
    await page.goto(`/dashboard?edit=${id}`);
    await waitUntilAlive(page);
    await price(page).fill('0.01');
    await meaning(page, REASON);
    await press(page, 'Save');
    await expectFault(page, price(page), REASON);
    await price(page).fill('0.50');
    await press(page, 'Save');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await seeLink(seller, id)).toMatchObject({ price: 50 });
  });
});
