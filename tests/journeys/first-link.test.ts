import { randomBytes } from 'node:crypto';
import type { Locator } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { graphql, PASSWORD, readCode, signUp } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import type { Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { expectFault } from '../screens/expect-fault.ts';
import { waitUntilAlive } from './steps.ts';

const notes = { name: 'Optics.pdf', mimeType: 'application/pdf', buffer: Buffer.from('notes') };
const NAME = 'Seller name (optional)';

describe('the first link of a seller', () => {
  const app = useApp();

  async function openUpload(as: Person) {
    const page = await openPage(app, { as });
    await page.goto('/upload');
    await waitUntilAlive(page);
    return page;
  }

  test('is shared with a name and a cover after seven presses, the first on the landing page', async () => {
    const page = await openPage(app, {
      context: { permissions: ['clipboard-read', 'clipboard-write'] },
    });
    let presses = 0;
    const press = async (target: Locator) => {
      presses += 1;
      await target.click();
    };
    const pressAndChoose = async (target: Locator, file: typeof notes) => {
      const choosing = page.waitForEvent('filechooser');
      await press(target);
      await (await choosing).setFiles(file);
    };
    await page.goto('/');
    await press(page.getByRole('link', { name: 'Start earning' }));
    const email = `${randomBytes(6).toString('hex')}@example.com`;
    await page.getByLabel('First Name').fill('Grace');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Confirm Password').fill(PASSWORD);
    await press(page.getByRole('button', { name: 'Create account' }));
    await page.getByLabel('Code').fill(await readCode(app, email));
    await press(page.getByRole('button', { name: 'Confirm' }));
    await page.waitForURL('/upload');
    await waitUntilAlive(page);
    await pressAndChoose(page.getByLabel('Choose File'), notes);
    await page.getByLabel('Price (USD)').fill('4.99');
    expect(await page.getByLabel(NAME).inputValue()).toBe('Grace');
    await press(page.getByRole('button', { name: 'Upload', exact: true }));
    await page.getByRole('heading', { level: 1, name: 'Your link is ready' }).waitFor();
    expect(await page.title()).toBe('Your link is ready · Padlink');
    const card = page.getByRole('main').getByRole('listitem');
    await card.getByRole('link', { name: 'Optics', exact: true }).waitFor();
    await card.getByText('by Grace', { exact: true }).waitFor();
    await card.getByText('$4.99', { exact: true }).waitFor();
    const create = { width: 800, height: 450, channels: 3, background: '#204060' } as const;
    const picture = await sharp({ create }).png().toBuffer();
    const cover = { name: 'cover.png', mimeType: 'image/png', buffer: Buffer.from(picture) };
    await pressAndChoose(page.getByLabel('Add a cover'), cover);
    await page.getByText('Saved. Buyers now see the new cover.').waitFor();
    await card.locator('img').waitFor();
    await press(page.getByRole('button', { name: /^Copy/ }));
    expect(presses).toBe(7);
    const shared = await page.evaluate(() => navigator.clipboard.readText());
    expect(shared).toBe(await page.getByLabel('Your paywall link:').inputValue());
    const buyer = await openPage(app);
    await buyer.goto(shared);
    await buyer.getByText('by Grace').first().waitFor();
    await buyer.locator('article img').waitFor();
  });

  test('asks once who sells, and takes for an answer that nobody is named', async () => {
    const page = await openUpload(await signUp(app));
    const offer = async () => {
      await page.getByLabel('Choose File').setInputFiles(notes);
      await page.getByLabel('Price (USD)').fill('4.99');
      await page.getByRole('button', { name: 'Upload', exact: true }).click();
    };
    const name = page.getByLabel(NAME);
    await name.fill('A'.repeat(61));
    await offer();
    await expectFault(page, name, 'The seller name is longer than 60 characters.');
    await page.reload();
    await waitUntilAlive(page);
    await expect.poll(() => name.inputValue()).toBe('A'.repeat(61));
    await name.fill('');
    await offer();
    const card = page.getByRole('main').getByRole('listitem');
    await card.getByText('$4.99').waitFor();
    expect(await card.getByText(/^by /).count()).toBe(0);
    await page.getByRole('button', { name: 'Upload another' }).click();
    await page.getByRole('heading', { level: 1, name: 'Upload a File' }).waitFor();
    expect(await page.title()).toBe('Upload a File · Padlink');
    expect(await name.count()).toBe(0);
    await page.reload();
    await page.getByLabel('Title (optional)').waitFor();
    expect(await name.count()).toBe(0);
  });

  test('comes after a name that was set on the account page, for which nobody is asked again', async () => {
    const seller = await signUp(app);
    await graphql(seller, 'mutation { setSellerName(name: "Ada’s desk") }');
    const page = await openUpload(seller);
    await page.getByLabel('Title (optional)').waitFor();
    expect(await page.getByLabel(NAME).count()).toBe(0);
  });
});
