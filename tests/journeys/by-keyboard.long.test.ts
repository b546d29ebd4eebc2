import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { PASSWORD, readCode, sellFile, signUp } from '../factories/factories.ts';
import { BUYER_EMAIL, CARDS } from '../factories/payment.ts';
import { openPage } from '../harness/browser.ts';
import { useApp } from '../harness/use-app.ts';
import { pressEnterOn, tabTo, typeInto } from './keyboard.ts';
import { waitUntilAlive, writeRandomFile } from './steps.ts';

describe('with the keyboard alone, the focus to be seen at each stop,', () => {
  const app = useApp();
  let sold: Awaited<ReturnType<typeof sellFile>>;

  beforeAll(async () => {
    sold = await sellFile(await signUp(app));
  });

  test('a file is bought, from the link to its bytes', async () => {
    const page = await openPage(app);
    await page.goto(`/p/${sold.id}`);
    await pressEnterOn(page, page.getByRole('button', { name: 'Unlock Now' }));
    await page.waitForURL(/\/sandbox\/checkout\//);
    await typeInto(page, 'Email', BUYER_EMAIL);
    await typeInto(page, 'Card number', CARDS.pays);
    await typeInto(page, 'Expiry', '12 / 34');
    await typeInto(page, 'CVC', '123');
    await pressEnterOn(page, page.getByRole('button', { name: 'Pay', exact: true }));
    await page.getByRole('heading', { name: 'Payment Successful' }).waitFor();
    const downloading = page.waitForEvent('download');
    await pressEnterOn(page, page.getByRole('link', { name: 'notes.pdf' }));
    const bytes = await readFile(await (await downloading).path());
    expect(bytes.equals(sold.bytes)).toBe(true);
  });

  test('an account is made, a file uploaded and its link copied', async () => {
    const page = await openPage(app, {
      context: {
        permissions: ['clipboard-read', 'clipboard-write'],
        reducedMotion: 'reduce',
      },
    });
    const email = 'keyboard@example.com';
    await page.goto('/login?mode=sign-up');
    await waitUntilAlive(page);
    await typeInto(page, 'First Name', 'Ada');
    await typeInto(page, 'Email', email);
    await typeInto(page, 'Password', PASSWORD);
    await typeInto(page, 'Confirm Password', PASSWORD);
    await page.keyboard.press('Enter');
    await page.locator('input:focus[autocomplete=one-time-code]').waitFor();
    await page.keyboard.type(await readCode(app, email));
    await page.keyboard.press('Enter');
    await page.waitForURL('/dashboard');
    await pressEnterOn(page, page.getByRole('link', { name: 'Upload', exact: true }));
    await page.waitForURL('/upload');
    await waitUntilAlive(page);

    const file = join(app.dataDir, 'notes.pdf');
    await writeRandomFile(file, 1000);
    const choosing = page.waitForEvent('filechooser');
    await pressEnterOn(page, page.getByLabel('Choose File'));
    await (await choosing).setFiles(file);
    await typeInto(page, 'Price (USD)', '4.99');
    await pressEnterOn(page, page.getByRole('button', { name: 'Upload', exact: true }));
    await page.getByText('Your paywall link:').waitFor();
    await tabTo(page, page.getByRole('button', { name: /^Copy/ }));
    await page.keyboard.press('Enter');
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).toMatch(new RegExp(`^${app.origin}/p/[0-9a-f]{8}$`));
  });
});
