import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { auth, createEmail, expectMails } from '../factories/account-requests.ts';
import { readCode, signUp } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import { createPerson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { askForAccount, expectFocus, waitUntilAlive } from './steps.ts';

describe('the codes of the sign-in page', () => {
  const app = useApp();
  const WRONG = 'This code is wrong, expired, or replaced by a newer one.';

  async function confirm(page: Page, code: string): Promise<void> {
    await page.getByLabel('Code').fill(code);
    await page.getByRole('button', { name: 'Confirm' }).click();
  }

  test('a wrong code is refused beside its field, a newer one replaces the first and signs in', async () => {
    const page = await openPage(app, {
      expectedErrors: /400 \/api\/auth\/email-otp\/verify-email/,
    });
    const email = createEmail();
    await askForAccount(page, email);
    await expectMails(app.origin, email, 1);
    const first = await readCode(app, email);
    await confirm(page, first === '000000' ? '000001' : '000000');
    expect(await page.getByRole('alert').textContent()).toBe(WRONG);
    await expectFocus(page.getByLabel('Code'));

    await page.getByRole('button', { name: 'Send a new code' }).click();
    await page.getByText('A new code is on its way.').waitFor();
    await expectMails(app.origin, email, 2);
    const second = await readCode(app, email);
    // One time in a million both are the same.
    if (second !== first) {
      await confirm(page, first);
      await page.getByRole('alert').getByText(WRONG).waitFor();
    }
    await confirm(page, second);
    await page.waitForURL('/dashboard');
  });

  test('a sign-up by somebody else meanwhile is told, and can be taken back', async () => {
    const page = await openPage(app, {
      expectedErrors: /409 \/api\/auth\/email-otp\/verify-email/,
    });
    const email = createEmail();
    await askForAccount(page, email);
    const attacker = { email, password: 'Attacking-horse-9', firstName: 'Eve' };
    await auth(createPerson(app), 'sign-up/email', attacker);
    await expectMails(app.origin, email, 2);
    await confirm(page, await readCode(app, email));
    await page.getByText('Someone signed up with this address after you. Sign up again.').waitFor();
    await page.getByRole('link', { name: 'Use a different email' }).click();
    await askForAccount(page, email);
    await expectMails(app.origin, email, 3);
    await confirm(page, await readCode(app, email));
    await page.waitForURL('/dashboard');
  });

  test('a forgotten password is replaced by the mailed code', async () => {
    const { email } = await signUp(app);
    const page = await openPage(app, {
      expectedErrors: /400 \/api\/auth\/email-otp\/reset-password/,
    });
    await page.goto('/login');
    await waitUntilAlive(page);
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByText(`If ${email} has an account, a six-digit code is on its way`).waitFor();
    await expectMails(app.origin, email, 2);
    const code = await readCode(app, email);
    const save = async (typed: string) => {
      await page.getByLabel('Code').fill(typed);
      await page.getByLabel('Password', { exact: true }).fill('Another-horse-8');
      await page.getByLabel('Confirm Password').fill('Another-horse-8');
      await page.getByRole('button', { name: 'Save new password' }).click();
    };
    await save(code === '000000' ? '000001' : '000000');
    await page.getByRole('alert').getByText(WRONG).waitFor();
    await save(code);
    await page.waitForURL('/dashboard');
  });
});
