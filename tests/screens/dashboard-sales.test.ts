import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { takeTableAway } from '../errors/take-table-away.ts';
import { sellFile, signUp, waitUntilUnlocked } from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { openPage } from '../harness/browser.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { stepOverMidnight } from '../harness/step-over-midnight.ts';
import { useApp } from '../harness/use-app.ts';
import { expectFocus, waitUntilAlive } from '../journeys/steps.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const AHEAD_MS = stepOverMidnight();
const NOW = Date.now() + AHEAD_MS;
const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
const TODAY = dayFormat.format(NOW);
const YESTERDAY = dayFormat.format(NOW - DAY_MS);

describe('the sales on the dashboard', () => {
  const app = useApp({ overrides: { now: () => Date.now() + AHEAD_MS } });
  let seller: Person;

  beforeAll(async () => {
    seller = await signUp(app);
    const { id } = await sellFile(seller, { price: 1000 });
    const buyer = createPerson(app);
    await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
  });

  const salesOf = (page: Page) => page.getByRole('region', { name: 'Sales by day', exact: true });
  const cellsOf = (page: Page, day: string) =>
    page.getByRole('row', { name: day }).getByRole('cell').allTextContents();

  test('are told by totals, by a bar for each day, and by a table that says the same', {
    tags: 'long',
  }, async () => {
    const page = await openPage(app, { as: seller });
    await page.goto('/dashboard');
    await waitUntilAlive(page);
    const sales = salesOf(page);
    expect(await sales.locator('dl').textContent()).toContain('Sales1Earned$9.20Conversion');
    expect(await sales.locator('rect').count()).toBe(30);
    await sales.getByText('Show as a table').click();
    expect(await sales.getByRole('row').count()).toBe(31);
    expect(await cellsOf(page, TODAY)).toEqual(['1', '1', '1', '$9.20', '$0.00']);
    expect(await cellsOf(page, YESTERDAY)).toEqual(['0', '0', '0', '$0.00', '$0.00']);
  });

  test('tell each day to who points at it and to who moves by the arrow keys', async () => {
    const page = await openPage(app, { as: seller });
    await page.goto('/dashboard');
    await waitUntilAlive(page);
    const day = page.getByRole('slider', { name: 'Day', exact: true });
    expect(await day.getAttribute('aria-valuetext')).toBe(`${TODAY}: 1 sale, $9.20`);
    await day.press('ArrowLeft');
    expect(await day.getAttribute('aria-valuetext')).toBe(`${YESTERDAY}: 0 sales, $0.00`);
    const { x, y, width } = (await day.boundingBox()) ?? { x: 0, y: 0, width: 0 };
    await page.mouse.move(x + width - 5, y + 20);
    expect(await day.getAttribute('aria-valuetext')).toBe(`${TODAY}: 1 sale, $9.20`);
  });

  test('are those of 7, 30 or 90 days, by real addresses, also without JavaScript', {
    tags: 'long',
  }, async () => {
    const page = await openPage(app, { as: seller, javaScript: false });
    await page.goto('/dashboard');
    for (const days of [7, 90, 30]) {
      const period = page.getByRole('link', { name: `${days} days`, exact: true });
      await period.click();
      await page.waitForURL(`/dashboard?days=${days}`);
      expect(await period.getAttribute('aria-current')).toBe('page');
      expect(await salesOf(page).locator('rect').count()).toBe(days);
    }
    await page.goto('/dashboard?days=31');
    expect(await salesOf(page).locator('rect').count()).toBe(30);
  });

  test('that alone cannot be loaded say so, beside the links and the balance', async () => {
    const page = await openPage(app, { as: seller, javaScript: false });
    const bringBack = await takeTableAway(app, 'seller_day');
    await page.goto('/dashboard');
    await page.getByText('Your sales could not be loaded.').waitFor();
    await page.getByText('Balance: $9.20').waitFor();
    await page.getByText('notes.pdf', { exact: true }).waitFor();
    await bringBack();
    await salesOf(page).getByRole('link', { name: 'Try again' }).click();
    await salesOf(page).locator('rect').first().waitFor();
  });

  test('are rows of a table, two lines high on a phone, with a menu that sends the receipt again', async () => {
    const page = await openPage(app, { as: seller, viewport: { width: 1280, height: 640 } });
    await page.goto('/dashboard/sales');
    expect(await page.getByRole('columnheader').allTextContents()).toEqual([
      'Link',
      'Date',
      'Status',
      'Price',
      'After the fee',
      'Actions',
    ]);
    await page.setViewportSize({ width: 375, height: 640 });
    const row = page.getByRole('row').filter({ hasText: 'notes.pdf' });
    await row.getByText('$10.00', { exact: true }).waitFor();
    expect((await row.boundingBox())?.height).toBeLessThanOrEqual(80);
    await page.setViewportSize({ width: 320, height: 640 });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(320);
    const menu = row.getByRole('button', { name: 'Manage notes.pdf' });
    await menu.click();
    await row.getByText(/^Order number: [0-9a-f-]{36}$/).waitFor();
    await row.getByRole('button', { name: 'Send the receipt again', exact: true }).click();
    await page.getByRole('status').getByText('The receipt is on its way.').waitFor();
    await expectFocus(menu);
  });

  test('are refunded in a dialog that says first what it costs whom', {
    tags: 'long',
  }, async () => {
    const page = await openPage(app, { as: seller });
    await page.goto('/dashboard/sales');
    const open = async (amount: string) => {
      await page.getByRole('button', { name: 'Manage notes.pdf' }).click();
      await page.getByRole('button', { name: 'Refund', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Refund “notes.pdf”?' });
      if (amount) await dialog.getByLabel('Amount (USD)').fill(amount);
      await dialog.getByRole('button', { name: 'Continue' }).click();
      return dialog;
    };
    const part = await open('10.01');
    const order = part.getByText(/^Order number: [0-9a-f-]{36}$/);
    expect(await order.evaluate((line) => getComputedStyle(line).textAlign)).toMatch(/start|left/);
    await part.getByText('Only $10.00 of this payment is left to refund.').waitFor();
    await part.getByText('Say why, for your own records.').waitFor();
    await part.getByLabel('Amount (USD)').fill('3.33');
    await part.getByLabel('Reason').fill('A page was missing');
    await part.getByRole('button', { name: 'Continue' }).click();
    await part.getByText('The buyer gets $3.33 back.').waitFor();
    expect(await part.getByRole('status').locator('p').allTextContents()).toEqual([
      'The buyer gets $3.33 back.',
      '$3.06 is taken from your balance; the platform returns $0.27 of its fee. The payment provider does not return its processing cost of $0.20: it is borne by the platform.',
      'Your balance will be $6.14.',
      'The buyer keeps access. A refund cannot be undone.',
    ]);
    await part.getByRole('button', { name: 'Refund $3.33' }).click();
    await page.getByRole('status').getByText('Refunded $3.33 of $10.00.').waitFor();
    await page.getByText('$3.33. Refunded by you: A page was missing').waitFor();

    await page.reload();
    const rest = await open('');
    await rest.getByLabel('Reason').fill('Sold by mistake');
    await rest.getByRole('button', { name: 'Continue' }).click();
    await rest.getByText('This returns the payment in full').waitFor();
    await rest.getByRole('button', { name: 'Back' }).click();
    expect(await rest.getByLabel('Reason').inputValue()).toBe('Sold by mistake');
    await rest.getByRole('button', { name: 'Continue' }).click();
    await rest.getByRole('button', { name: 'Refund $6.67' }).click();
    await page.getByRole('status').getByText('Refunded $10.00 of $10.00.').waitFor();
    await page.getByText('Returned', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /^Refund/ }).count()).toBe(0);
  });
});
