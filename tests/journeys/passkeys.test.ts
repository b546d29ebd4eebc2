import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { signUp } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';
import { addAuthenticator } from './add-authenticator.ts';
import { expectFocus, givePasswordOnPage, signOutOnPage, waitUntilAlive } from './steps.ts';

describe('passkeys on the pages', () => {
  const app = useApp();

  async function openAccount(page: Page, email: string): Promise<void> {
    await givePasswordOnPage(page, email, '/account/security');
    await page.waitForURL('/account/security');
  }

  test('one is added, signs in without the password, and is removed', {
    tags: 'long',
  }, async () => {
    const { email } = await signUp(app);
    const page = await openPage(app, {
      expectedErrors: /401 \/api\/auth\/passkey\/verify-authentication/,
    });
    const authenticator = await addAuthenticator(page);
    await openAccount(page, email);
    await page.getByText('No passkeys yet.').waitFor();
    const name = page.getByLabel('Name of the new passkey');
    expect(await name.inputValue()).toBe('Chrome on Linux');
    await name.fill('');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('alert').getByText('Give the passkey a name.').waitFor();
    await name.fill('My laptop');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'My laptop' });
    const passkeys = page.getByRole('region', { name: 'Passkeys' });
    await expectFocus(passkeys.getByText('Added My laptop.'));
    await row.getByText(/^Added on [A-Z][a-z]{2} \d{1,2}, \d{4}$/).waitFor();

    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page
      .getByRole('alert')
      .getByText('This device already has a passkey for your account.')
      .waitFor();
    expect(await passkeys.getByText('Added My laptop.').count()).toBe(0);

    await signOutOnPage(page);
    await page.goto('/login');
    await waitUntilAlive(page);
    await authenticator.setUserVerified(false);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('alert').getByText('No passkey was used. You can try again.').waitFor();
    await authenticator.setUserVerified(true);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL('/dashboard');

    await page.goto('/account/security');
    const remove = page.getByRole('button', { name: 'Remove My laptop' });
    await remove.click();
    await page
      .getByText('Remove My laptop? You will no longer be able to sign in with it.')
      .waitFor();
    await page.getByRole('button', { name: 'Keep it' }).click();
    await expectFocus(remove);
    await remove.click();
    await page.getByRole('button', { name: 'Remove passkey' }).click();
    await page.getByText('No passkeys yet.').waitFor();
    await expectFocus(passkeys.getByText('Removed My laptop.'));
    await signOutOnPage(page);
    await page.goto('/login');
    await waitUntilAlive(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page
      .getByRole('alert')
      .getByText('This passkey is not registered here. It may have been removed.')
      .waitFor();
  });

  test('one is renamed with the keyboard alone', async () => {
    const { email } = await signUp(app);
    const page = await openPage(app);
    await addAuthenticator(page);
    await openAccount(page, email);
    await page.getByLabel('Name of the new passkey').fill('My laptop');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    const rename = page.getByRole('button', { name: 'Rename My laptop' });
    await rename.focus();
    await page.keyboard.press('Enter');
    const name = page.getByLabel('New name of the passkey');
    await expectFocus(name);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expectFocus(page.getByRole('button', { name: 'Cancel' }));
    await page.keyboard.press('Enter');
    await expectFocus(rename);
    await page.keyboard.press('Enter');
    // What is typed replaces the old name.
    await page.keyboard.press('Delete');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Give the passkey a name.').waitFor();
    await expectFocus(name);
    await page.keyboard.type('Old laptop');
    await page.keyboard.press('Enter');
    await expectFocus(page.getByText('Renamed to Old laptop.'));
    await page.reload();
    await page.getByRole('button', { name: 'Rename Old laptop' }).waitFor();
  });

  test('whoever signed in long ago signs in again before adding one', {
    tags: 'long',
  }, async () => {
    const { email } = await signUp(app);
    const page = await openPage(app, {
      expectedErrors: /403 \/api\/auth\/passkey\/generate-register-options/,
    });
    await addAuthenticator(page);
    await openAccount(page, email);
    const past = new Date(Date.now() - 25 * 3_600_000).toISOString();
    await withDatabase(app, (db) => sql`update session set "createdAt" = ${past}`.execute(db));
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page
      .getByRole('alert')
      .getByText('You signed in more than a day ago. Sign in again to continue.')
      .waitFor();
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await page.waitForURL('/login?next=%2Faccount%2Fsecurity');
  });

  test('are not offered by a browser that does not know them', async () => {
    const page = await openPage(app);
    await page.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'));
    await page.goto('/login');
    await waitUntilAlive(page);
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0);
  });
});

describe('passkeys on an address that is a number', () => {
  const app = useApp({ host: '127.0.0.1' });

  test('are not offered there', async () => {
    const login = await fetch(`${app.origin}/login`);
    expect(login.status).toBe(200);
    // The names of what it loads aside.
    const offered = (await login.text()).replaceAll(/<(link|script)\b[^>]*>/g, '');
    expect(offered).not.toContain('passkey');
    const owner = await signUp(app);
    expect(await (await owner.fetch('/account/security')).text()).not.toContain('Passkeys');
  });
});
