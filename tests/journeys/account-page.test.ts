import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { createEmail } from '../factories/account-requests.ts';
import { PASSWORD, readCode, readMail, sellFile, signIn, signUp } from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { openPage } from '../harness/browser.ts';
import { createPerson, type Person, readJson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { expectFocus, waitUntilAlive } from './steps.ts';

describe('the account page', () => {
  const app = useApp();

  /** A section of the account page, in a browser that is signed in. */
  async function open(owner: Person, part: string, expectedErrors?: RegExp): Promise<Page> {
    const page = await openPage(app, expectedErrors ? { expectedErrors } : {});
    const cookies = [...owner.cookies].map(([name, value]) => ({ name, value, url: app.origin }));
    await page.context().addCookies(cookies);
    await page.goto(`/account/${part}`);
    await waitUntilAlive(page);
    return page;
  }

  const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
  const press = (where: Locator, name: string) =>
    where.getByRole('button', { name, exact: true }).click();

  test('saves the first name, and asks for it when it is missing', { tags: 'long' }, async () => {
    const page = await open(
      await signUp(app, { firstName: 'Ada' }),
      'profile',
      /400 \/api\/auth\/update-user/,
    );
    const name = section(page, 'First Name');
    const field = name.getByLabel('First Name');
    expect(await field.inputValue()).toBe('Ada');
    await field.fill(' ');
    await press(name, 'Save name');
    expect(await name.getByRole('alert').textContent()).toBe('Enter your first name.');
    await expectFocus(field);
    await field.fill('x'.repeat(61));
    await press(name, 'Save name');
    await name.getByText('First Name can have at most 60 characters.').waitFor();
    await field.fill('Grace');
    await press(name, 'Save name');
    await name.getByRole('status').getByText('Saved. Hello, Grace.').waitFor();
    await field.fill(' ');
    await press(name, 'Save name');
    await name.getByText('Enter your first name.').waitFor();
    expect(await name.getByText('Saved. Hello, Grace.').count()).toBe(0);
    await page.goto('/dashboard');
    await page.getByText('Welcome back, Grace').waitFor();
  });

  test('changes the email address by keyboard alone, with the password and the mailed code', {
    tags: 'long',
  }, async () => {
    const owner = await signUp(app);
    const newEmail = createEmail();
    const page = await open(owner, 'security', /400 \/api\/auth\/email-otp\/request-email-change/);
    const email = section(page, 'Email address');
    await email.getByLabel('New email address').focus();
    await page.keyboard.type(newEmail);
    await page.keyboard.press('Enter');
    expect(await email.getByRole('alert').textContent()).toBe('Enter your current password.');
    const password = email.getByLabel('Current password', { exact: true });
    await expectFocus(password);
    await page.keyboard.type('Wrong-horse-7');
    await page.keyboard.press('Enter');
    await email.getByText('The current password is wrong.').waitFor();
    await expectFocus(password);
    await password.fill(PASSWORD);
    await page.keyboard.press('Enter');
    await email.getByText(`If ${newEmail} is available, a six-digit code is on its way`).waitFor();
    await expectFocus(email.getByLabel('Code'));
    await page.keyboard.type(await readCode(app, newEmail));
    await page.keyboard.press('Enter');
    await email.getByText(`Your email address is now ${newEmail}.`).waitFor();
    await expectFocus(email.getByRole('status'));
    await readMail(app, owner.email, /address was changed/);
    await signIn(createPerson(app), newEmail);
  });

  test('keeps the old email address until a right code, and says what is wrong', {
    tags: 'long',
  }, async () => {
    const owner = await signUp(app);
    const newEmail = createEmail();
    const page = await open(
      owner,
      'security',
      /400 \/api\/auth\/email-otp\/(request-email-change|change-email)/,
    );
    const email = section(page, 'Email address');
    const ask = async (address: string) => {
      await email.getByLabel('New email address').fill(address);
      await email.getByLabel('Current password', { exact: true }).fill(PASSWORD);
      await press(email, 'Send code to new address');
    };
    await ask('ada');
    await email.getByText('Enter a full email address, like name@example.com.').waitFor();
    await ask(owner.email);
    await email.getByText('This is already your email address.').waitFor();
    await ask(newEmail);
    const code = await readCode(app, newEmail);
    await email.getByLabel('Code').fill(code === '000000' ? '000001' : '000000');
    await press(email, 'Change address');
    await email.getByText('This code is wrong, expired, or replaced by a newer one.').waitFor();
    await press(email, 'Keep current address');
    await email.getByLabel('New email address').waitFor();
    await email.getByText(owner.email).waitFor();
    await signIn(createPerson(app), owner.email);
  });

  test('changes the password and signs out everywhere else', { tags: 'long' }, async () => {
    const owner = await signUp(app);
    const elsewhere = createPerson(app);
    await signIn(elsewhere, owner.email);
    const page = await open(owner, 'security');
    const password = section(page, 'Password');
    const sessions = section(page, 'Where you are signed in').getByRole('listitem');
    expect(await sessions.count()).toBe(2);
    await password.getByLabel('Current password', { exact: true }).fill(PASSWORD);
    await password.getByLabel('New password', { exact: true }).fill('New-horse-8');
    await password.getByLabel('Confirm Password', { exact: true }).fill('New-horse-9');
    expect(await password.getByLabel('Sign out everywhere else').isChecked()).toBe(true);
    await press(password, 'Change password');
    expect(await password.getByRole('alert').textContent()).toBe('The passwords do not match.');
    await password.getByLabel('Confirm Password', { exact: true }).fill('New-horse-8');
    await press(password, 'Change password');
    await password
      .getByText('Your password was changed, and you were signed out everywhere else.')
      .waitFor();
    expect(await password.getByLabel('Current password', { exact: true }).inputValue()).toBe('');
    expect(await sessions.count()).toBe(1);
    expect((await elsewhere.fetch('/api/user-attributes')).status).toBe(401);
    await page.reload();
    await section(page, 'Password').waitFor();
    await signIn(createPerson(app), owner.email, 'New-horse-8');
  });

  test('lists where the person is signed in, and ends one session or all others', {
    tags: 'long',
  }, async () => {
    const owner = await signUp(app);
    const others = [createPerson(app), createPerson(app), createPerson(app)];
    for (const other of others) await signIn(other, owner.email);
    const page = await open(owner, 'security');
    const sessions = section(page, 'Where you are signed in');
    const items = sessions.getByRole('listitem');
    expect(await items.count()).toBe(4);
    expect(await items.first().textContent()).toContain('This device');
    await items.nth(1).getByRole('button', { name: 'Sign out Unknown device' }).click();
    await sessions.getByText('Unknown device was signed out.').waitFor();
    expect(await items.count()).toBe(3);
    await press(sessions, 'Sign out everywhere else');
    await sessions.getByText('You are signed out everywhere else.').waitFor();
    expect(await items.count()).toBe(1);
    for (const other of others) {
      expect((await other.fetch('/api/user-attributes')).status).toBe(401);
    }
  });

  test('deletes the account after password and typed address, and leads home', {
    tags: 'long',
  }, async () => {
    const owner = await signUp(app);
    const page = await open(owner, 'security');
    const deletion = section(page, 'Delete account');
    await deletion.getByLabel('Current password', { exact: true }).fill(PASSWORD);
    await deletion.getByLabel('Type your email address to confirm').fill('delete');
    await press(deletion, 'Delete account');
    expect(await deletion.getByRole('alert').textContent()).toBe(
      'Type the email address of your account to confirm.',
    );
    await deletion.getByLabel('Type your email address to confirm').fill(owner.email);
    await press(deletion, 'Delete account');
    await page.waitForURL('/?account=deleted');
    await page.getByRole('status').getByText('Your account was deleted.').waitFor();
    await page.getByRole('link', { name: 'Login' }).waitFor();
    await readMail(app, owner.email, /account was deleted/);
  });

  test('says why an account that is owed money cannot be deleted', { tags: 'long' }, async () => {
    const owner = await signUp(app);
    const { id } = await sellFile(owner, { price: 499 });
    const buyer = createPerson(app);
    await payFor(buyer, id);
    const page = await open(owner, 'security', /409 \/api\/auth\/delete-user/);
    await page.waitForFunction(async () => {
      const { sub } = await (await fetch('/api/user-attributes')).json();
      const query = `{ getUserBalance(id: "${sub}") { balance } }`;
      const headers = { 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify({ query }) };
      return (await (await fetch('/graphql', init)).json()).data.getUserBalance?.balance === 444;
    });
    const deletion = section(page, 'Delete account');
    await deletion.getByText('Your balance must be zero: have it paid out first.').waitFor();
    await deletion.getByLabel('Current password', { exact: true }).fill(PASSWORD);
    await deletion.getByLabel('Type your email address to confirm').fill(owner.email);
    await press(deletion, 'Delete account');
    await deletion
      .getByText('Your balance is $4.44. Have it paid out before you delete your account.')
      .waitFor();
    const focused = page.locator(':focus');
    expect(await focused.textContent()).toContain('Your balance is $4.44.');
    await readJson(await owner.fetch('/api/user-attributes'));
  });

  test('tells password managers and code keyboards what each field is', async () => {
    const owner = await signUp(app);
    const fields: string[] = [];
    for (const part of ['profile', 'security']) {
      const page = await open(owner, part);
      const found = await page.locator('input:not([type=hidden])').evaluateAll((inputs) =>
        inputs.map((input) => {
          const { labels, autocomplete } = input as HTMLInputElement;
          return `${labels?.[0]?.textContent}: ${autocomplete}`;
        }),
      );
      fields.push(...found);
    }
    expect(fields).toEqual(
      expect.arrayContaining([
        'First Name: given-name',
        'New email address: email',
        'Current password: current-password',
        'New password: new-password',
        'Confirm Password: new-password',
      ]),
    );
    for (const field of fields) expect(field).not.toMatch(/^undefined/);
  });

  test('has sections with addresses and titles of their own, also without JavaScript', async () => {
    const page = await openPage(app, { as: await signUp(app), javaScript: false });
    await page.goto('/account');
    expect(await page.title()).toBe('Account · Padlink');
    const tabs = page.getByRole('navigation', { name: 'Account' });
    const current = page.locator('.section-tabs [aria-current=page]');
    expect(await current.allTextContents()).toEqual(['Profile']);
    for (const [name, heading] of [
      ['Security', 'Where you are signed in'],
      ['Notifications', 'Notifications'],
      ['Programs', 'Secret keys'],
      ['Profile', 'Seller page'],
    ] as const) {
      await tabs.getByRole('link', { name }).click();
      await page.waitForURL(`/account/${name.toLowerCase()}`);
      expect(await page.title()).toBe(`${name} · Account · Padlink`);
      expect(await current.allTextContents()).toEqual([name]);
      await page.getByRole('heading', { level: 2, name: heading, exact: true }).waitFor();
      const bar = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current]');
      expect(await bar.allTextContents()).toEqual(['Account']);
    }
  });

  test('leads on from where earlier emails led', async () => {
    const page = await openPage(app, { as: await signUp(app) });
    await page.goto('/account#notifications');
    await page.waitForURL('/account/notifications');
  });
});
