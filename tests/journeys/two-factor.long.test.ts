import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { PASSWORD, readCode, signUp } from '../factories/factories.ts';
import { showCode, wrongCode } from '../harness/authenticator-app.ts';
import { openPage, type PageOptions } from '../harness/browser.ts';
import { useApp } from '../harness/use-app.ts';
import { expectFocus, givePasswordOnPage, signOutOnPage, waitUntilAlive } from './steps.ts';

/** The page asks for it in more than one place. */
const currentPassword = (page: Page) =>
  page
    .getByRole('region', { name: 'Two-factor sign-in' })
    .getByLabel('Current password', { exact: true });

describe('two-factor sign-in on the pages', () => {
  const app = useApp();

  /** Signs up and goes to the account page. */
  async function openAccount(options: PageOptions = {}) {
    const { email } = await signUp(app);
    const page = await openPage(app, options);
    await givePasswordOnPage(page, email, '/account/security');
    await page.waitForURL('/account/security');
    return { page, email };
  }

  /** Turns it on. Returns the key, and the backup codes as they are shown. */
  async function turnOn(page: Page): Promise<{ key: string; backupCodes: string[] }> {
    await page.getByRole('button', { name: 'Turn on two-factor sign-in' }).click();
    await currentPassword(page).fill(PASSWORD);
    await page.getByRole('button', { name: 'Continue' }).click();
    const scan = page.getByRole('heading', { name: 'Add this account to your app' });
    await expectFocus(scan);
    const shown = await page.getByText(/^([A-Z2-7]{4} )+[A-Z2-7]{1,4}$/).textContent();
    const key = shown?.replaceAll(' ', '') ?? '';
    await page.getByLabel('Code').fill(showCode(key));
    await page.getByRole('button', { name: 'Turn on' }).click();
    const keep = page.getByRole('heading', { name: 'Save these backup codes' });
    await expectFocus(keep);
    const backupCodes = await page.locator('li code').allTextContents();
    return { key, backupCodes };
  }

  test('is turned on with the app’s code and asked for at the next sign-in', async () => {
    const { page, email } = await openAccount({
      expectedErrors:
        /400 \/api\/auth\/two-factor\/enable|401 \/api\/auth\/two-factor\/verify-totp/,
    });
    await page.getByText('Two-factor sign-in is off.').waitFor();
    await page.getByRole('button', { name: 'Turn on two-factor sign-in' }).click();
    await currentPassword(page).fill('Wrong-horse-7');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('alert').getByText('The current password is wrong.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expectFocus(page.getByRole('button', { name: 'Turn on two-factor sign-in' }));

    const { key, backupCodes } = await turnOn(page);
    expect(new Set(backupCodes).size).toBe(10);
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download' }).click();
    expect((await downloading).suggestedFilename()).toBe('padlink-backup-codes.txt');
    await page.getByRole('button', { name: 'I have saved them' }).click();
    await page.reload();
    await page.getByText('Two-factor sign-in is on.').waitFor();

    await signOutOnPage(page);
    await givePasswordOnPage(page, email, '/account/security');
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
    const code = page.getByLabel('Code');
    expect(await code.getAttribute('autocomplete')).toBe('one-time-code');
    await code.fill(wrongCode(key));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page
      .getByRole('alert')
      .getByText('This code is wrong or has been used. Enter the current one from your app.')
      .waitFor();
    await expectFocus(code);
    await code.fill(showCode(key, 1));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('/account/security');
  });

  test('is passed with a backup code, and turned off with the password', async () => {
    const { page, email } = await openAccount();
    const { backupCodes } = await turnOn(page);
    await signOutOnPage(page);
    await givePasswordOnPage(page, email, '/account/security');
    await page.getByRole('link', { name: 'Use a backup code' }).click();
    await page.getByLabel('Backup code').fill(backupCodes[0]?.toUpperCase() ?? '');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('/account/security');
    await page.getByRole('button', { name: 'Turn off two-factor sign-in' }).click();
    await currentPassword(page).fill(PASSWORD);
    await page.getByRole('button', { name: 'Turn off' }).click();
    await page.getByText('Two-factor sign-in is off.').waitFor();
    const said = page.getByText('From now on, your password alone is enough to sign in.');
    await expectFocus(said);
    await signOutOnPage(page);
    await givePasswordOnPage(page, email, '/account/security');
    await page.waitForURL('/account/security');
  });

  test('is asked for after a new password was chosen by mail', async () => {
    const { page, email } = await openAccount();
    const { key } = await turnOn(page);
    const first = await readCode(app, email);
    await signOutOnPage(page);
    await page.goto('/login');
    await waitUntilAlive(page);
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
    await expect.poll(() => readCode(app, email)).not.toBe(first);
    await page.getByLabel('Code').fill(await readCode(app, email));
    await page.getByLabel('Password', { exact: true }).fill('Another-horse-8');
    await page.getByLabel('Confirm Password').fill('Another-horse-8');
    await page.getByRole('button', { name: 'Save new password' }).click();
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
    await page.getByRole('status').getByText('Your new password is saved.').waitFor();
    await page.getByLabel('Code').fill(showCode(key, 1));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('/dashboard');
  });
});
