import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { askGraphql, signUp } from '../factories/factories.ts';
import { createSecretKey, programWith } from '../factories/secret-key.ts';
import { openPage } from '../harness/browser.ts';
import type { Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

describe('secret keys on the account page', () => {
  const app = useApp();

  async function openAccount(creator: Person) {
    const page = await openPage(app, { as: creator });
    await page.goto('/account/programs');
    return { page, section: page.getByRole('region', { name: 'Secret keys' }) };
  }

  /** Whether a program with this key may read. */
  async function works(secret: string): Promise<boolean> {
    const { errors } = await askGraphql(
      programWith(app, secret),
      '{ listPaywallLinks { nextToken } }',
    );
    return errors === undefined;
  }

  test('a secret key is created with a name on the account page and shown once', async () => {
    const creator = await signUp(app);
    const { page, section } = await openAccount(creator);
    await section.getByText('No secret keys yet.').waitFor();
    await section.getByLabel('Name of a new key').fill('Shop importer');
    await section.getByLabel('Sell', { exact: true }).uncheck();
    await section.getByRole('button', { name: 'Create key' }).click();
    await section.getByText('Choose what programs may do with the key.').waitFor();
    await section.getByLabel('Sell', { exact: true }).check();
    await section.getByLabel('Refund', { exact: true }).check();
    await section.getByRole('button', { name: 'Create key' }).click();
    await section.getByText('Copy it now: it will not be shown again.').waitFor();
    const secret = (await section.getByText(/^sk_padlink_/).textContent()) ?? '';
    expect(await works(secret)).toBe(true);
    await section.getByRole('button', { name: 'Copy the key Shop importer' }).waitFor();
    const row = section.getByRole('listitem').filter({ hasText: 'Shop importer' });
    await row.getByText(`…${secret.slice(-4)}`).waitFor();
    await row.getByText('Never used').waitFor();
    await row.getByText('Sell, Refund').waitFor();
    expect(await section.getByLabel('Name of a new key').inputValue()).toBe('');

    await section.getByRole('button', { name: 'I have saved it' }).click();
    expect(await page.content()).not.toContain(secret);
    await page.reload();
    await row.getByText('Last used').waitFor();
    expect(await page.content()).not.toContain(secret);
  });

  test('whoever signed in long ago signs in again before a secret key is created', async () => {
    const page = await openPage(app, { as: await signUp(app) });
    await page.goto('/account/programs');
    const section = page.getByRole('region', { name: 'Secret keys' });
    const past = new Date(Date.now() - 25 * 3_600_000).toISOString();
    await withDatabase(app, (db) => sql`update session set "createdAt" = ${past}`.execute(db));
    await section.getByLabel('Name of a new key').fill('Shop importer');
    await section.getByRole('button', { name: 'Create key' }).click();
    await section
      .getByRole('alert')
      .getByText('You signed in more than a day ago. Sign in again to continue.')
      .waitFor();
    expect(await section.getByLabel('Name of a new key').inputValue()).toBe('Shop importer');
    await section.getByRole('button', { name: 'Sign in again' }).click();
    await page.waitForURL('/login?next=%2Faccount%2Fprograms');
  });

  test('a secret key is revoked on the account page after a question that may be declined', async () => {
    const creator = await signUp(app);
    const { secret } = await createSecretKey(creator, 'Old laptop');
    const { section } = await openAccount(creator);
    await section.getByRole('button', { name: 'Revoke Old laptop' }).click();
    await section.getByText('Programs that use it will stop working at once.').waitFor();
    await section.getByRole('button', { name: 'Keep it' }).click();
    expect(await works(secret)).toBe(true);
    await section.getByRole('button', { name: 'Revoke Old laptop' }).click();
    await section.getByRole('button', { name: 'Revoke key' }).click();
    await section.getByText('Old laptop was revoked.').waitFor();
    await section.getByText('No secret keys yet.').waitFor();
    expect(await works(secret)).toBe(false);
  });

  test('a secret key without a name, or with one too long, is refused beside the field', async () => {
    const { section } = await openAccount(await signUp(app));
    const name = section.getByLabel('Name of a new key');
    await section.getByRole('button', { name: 'Create key' }).click();
    await section.getByText('Give the key a name.').waitFor();
    await name.fill('x'.repeat(61));
    await section.getByRole('button', { name: 'Create key' }).click();
    await section.getByText('The name is longer than 60 characters.').waitFor();
    expect(await name.inputValue()).toBe('x'.repeat(61));
  });
});
