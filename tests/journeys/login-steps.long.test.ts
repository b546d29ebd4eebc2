import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { createEmail, expectMails } from '../factories/account-requests.ts';
import { readCode, signUp } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import { useApp } from '../harness/use-app.ts';
import { askForAccount, waitUntilAlive } from './steps.ts';

describe('the steps of the login page', () => {
  const app = useApp();
  const heading = (page: Page, name: string) => page.getByRole('heading', { name });

  test('a reload comes back to the code of a sign-up, which signs in without the password', async () => {
    const page = await openPage(app);
    const email = createEmail();
    await askForAccount(page, email);
    await page.reload();
    await heading(page, 'Check your email').waitFor();
    await page.getByText(`We sent a six-digit code to ${email}.`).waitFor();
    const kept = await page.evaluate(() => JSON.stringify([history.state, { ...sessionStorage }]));
    expect(kept).toContain(email);
    expect(kept).not.toContain('horse');
    await expectMails(app.origin, email, 1);
    await page.getByLabel('Code').fill(await readCode(app, email));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL('/dashboard');
  });

  test('a reload comes back to the code for a new password', async () => {
    const { email } = await signUp(app);
    const page = await openPage(app);
    await page.goto('/login?next=%2Fupload');
    await waitUntilAlive(page);
    await page.getByLabel('Email').fill(email);
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByRole('button', { name: 'Send code' }).click();
    await heading(page, 'Choose a new password').waitFor();
    await page.reload();
    await heading(page, 'Choose a new password').waitFor();
    await expectMails(app.origin, email, 2);
    await page.getByLabel('Code').fill(await readCode(app, email));
    await page.getByLabel('Password', { exact: true }).fill('Another-horse-8');
    await page.getByLabel('Confirm Password').fill('Another-horse-8');
    await page.getByRole('button', { name: 'Save new password' }).click();
    await page.waitForURL('/upload');
  });

  test('Back leads from a code to the form before it, which keeps the address', async () => {
    const page = await openPage(app);
    const email = createEmail();
    await page.goto('/login');
    await waitUntilAlive(page);
    await page.getByLabel('Email').fill(email);
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await heading(page, 'Forgot your password?').waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(email);
    await page.getByRole('button', { name: 'Send code' }).click();
    await heading(page, 'Choose a new password').waitFor();
    await page.goBack();
    await heading(page, 'Forgot your password?').waitFor();
    await page.goBack();
    await heading(page, 'Sign in').waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(email);

    await askForAccount(page, email);
    await page.goBack();
    await heading(page, 'Create your account').waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(email);
    await page.goForward();
    await heading(page, 'Check your email').waitFor();
  });

  test('a link to the content of the page does not leave the step', async () => {
    const page = await openPage(app);
    await askForAccount(page, createEmail());
    await page.getByRole('link', { name: 'Skip to content' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('/login?mode=sign-up#content');
    await page.reload();
    await heading(page, 'Check your email').waitFor();
  });

  test('the mailbox opens in a tab of its own, where mail is kept here', async () => {
    const page = await openPage(app);
    const email = createEmail();
    await askForAccount(page, email);
    await expectMails(app.origin, email, 1);
    const opening = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'Open the mailbox in a new tab' }).click();
    const mailbox = await opening;
    await mailbox.waitForURL('/mailbox');
    await mailbox.getByText(`To ${email}`).waitFor();
    await heading(page, 'Check your email').waitFor();
  });

  test('whoever signs up is told the terms and the minimum age', async () => {
    const page = await openPage(app);
    await page.goto('/login?mode=sign-up');
    await waitUntilAlive(page);
    const agreement = page.getByText('By creating an account you agree to');
    expect(await agreement.textContent()).toBe(
      'By creating an account you agree to the Terms and the Privacy page. Minimum age 13.',
    );
    const addresses = await agreement
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(addresses).toEqual(['/terms', '/privacy']);
  });
});
