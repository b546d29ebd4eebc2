import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { createLink, readMail, sellFile, signUp } from '../factories/factories.ts';
import { BUYER_EMAIL, checkOut, payAt, payFor } from '../factories/payment.ts';
import { openPage } from '../harness/browser.ts';
import { eventually } from '../harness/eventually.ts';
import { createPerson, type Person, readJson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';

const SUPPORT = 'help@example.com';
const THANKS = 'Thank you for your purchase. Your file is now unlocked and should be downloading.';

describe('the success page', () => {
  const app = useApp({ env: { SUPPORT_EMAIL: SUPPORT } });
  let seller: Person;

  beforeAll(async () => {
    seller = await signUp(app);
  });

  /** To the letter, whoever looks. */
  async function showsSpecified(page: Page): Promise<void> {
    const heading = { level: 1, name: 'Payment Successful', exact: true };
    await page.getByRole('heading', heading).waitFor();
    await page.getByText(THANKS, { exact: true }).waitFor();
    const home = page.getByRole('link', { name: 'Go to Homepage', exact: true });
    expect(await home.getAttribute('href')).toBe('/');
    expect(await page.title()).toBe('Payment Successful · Padlink');
  }

  async function countReceipts(): Promise<number> {
    const mails = await readJson<{ to: string }[]>(await fetch(`${app.origin}/mailbox.json`));
    return mails.filter(({ to }) => to === BUYER_EMAIL).length;
  }

  test('of a session that nobody knows has the specified words, and offers to send a link below them', async () => {
    const page = await openPage(app);
    await page.goto('/success?session_id=cs_test_unknown');
    await showsSpecified(page);
    expect(await page.getByRole('link', { name: SUPPORT }).getAttribute('href')).toBe(
      `mailto:${SUPPORT}`,
    );
    await page.getByRole('button', { name: 'Send the link again' }).click();
    await page.getByText('If there is a purchase, its link is on its way.').waitFor();
  });

  test('of a purchase made elsewhere says the same, and sends the personal link again when asked', {
    tags: 'long',
  }, async () => {
    const { id } = await sellFile(seller);
    const success = await payFor(createPerson(app), id);
    await readMail(app, BUYER_EMAIL);
    const before = await countReceipts();
    const page = await openPage(app);
    await page.goto(success);
    await showsSpecified(page);
    await page.getByRole('button', { name: 'Send the link again' }).click();
    await page.getByText('If there is a purchase, its link is on its way.').waitFor();
    await eventually(async () => expect(await countReceipts()).toBe(before + 1));
  });

  test('of a file hands it over by its first button, and leads away by its last', async () => {
    const { id } = await sellFile(seller);
    const buyer = createPerson(app);
    const success = await payFor(buyer, id);
    const page = await openPage(app, { as: buyer });
    const begunByItself = page.waitForEvent('download');
    // The download may begin before the page has loaded, which then never ends.
    await page.goto(success, { waitUntil: 'commit' });
    await begunByItself;
    const buttons = page.getByRole('main').locator('.button');
    // It says "Starting..." until the one that began by itself arrives.
    await page.getByRole('link', { name: 'Download', exact: true }).waitFor();
    expect(await buttons.allTextContents()).toEqual(['Download', 'Go to Homepage']);
    const asked = page.waitForEvent('download');
    await buttons.first().click();
    expect((await asked).suggestedFilename()).toBe('notes.pdf');
  });

  test('tells once that the payment settled, and leaves the rest to what changes', async () => {
    const { id } = await sellFile(seller);
    const buyer = createPerson(app);
    const hosted = await checkOut(buyer, id);
    const session = new URL(hosted).pathname.split('/').at(-1);
    const page = await openPage(app, { as: buyer });
    await page.goto(`/success?session_id=${session}`);
    await page.getByRole('heading', { name: 'Confirming your payment…' }).waitFor();
    await payAt(buyer, hosted);
    await page.getByRole('status').filter({ hasText: 'Payment Successful' }).waitFor();
    await page.getByRole('heading', { name: 'Payment Successful' }).waitFor();
    expect(await page.locator('[aria-live]').count()).toBe(0);
  });

  test('opened without a purchase has the specified words, and leads on to finding one or to the homepage', async () => {
    const page = await openPage(app);
    await page.goto('/success');
    await showsSpecified(page);
    await page.getByText('Nothing downloading? Find your purchase by email.').waitFor();
    await page.getByRole('link', { name: 'Find your purchase by email', exact: true }).click();
    await page.waitForURL('/purchases');
    await page.goBack();
    await page.getByRole('link', { name: 'Go to Homepage', exact: true }).click();
    await page.waitForURL('/');
  });

  test('of a web address says that it opens with a button, and leads there', {
    tags: 'long',
  }, async () => {
    const url = `${app.origin}/terms?sold`;
    const { id } = await createLink(seller, { type: 'link', url });
    const buyer = createPerson(app);
    const success = await payFor(buyer, id);
    const page = await openPage(app, { as: buyer });
    await page.goto(success);
    await page.getByRole('heading', { name: 'Payment Successful' }).waitFor();
    await page.getByText(THANKS, { exact: true }).waitFor();
    await page.getByText('You bought a web address.').waitFor();
    expect(await page.getByRole('region', { name: 'Your files' }).count()).toBe(0);
    const buttons = page.getByRole('main').locator('.button');
    expect(await buttons.allTextContents()).toEqual(['Open what you bought', 'Go to Homepage']);
    await buttons.first().click();
    await page.waitForURL('/terms?sold');
  });
});
