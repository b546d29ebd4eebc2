import { describe, expect, test } from 'vitest';
import { sellFile, signUp } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import { useApp } from '../harness/use-app.ts';
import { payOnPage, unlockOnPage, waitForSuccess } from '../journeys/steps.ts';

describe('the pages after the checkout', () => {
  const app = useApp();

  test('/success thanks for the purchase, starts the download and leads to the homepage', async () => {
    const { id } = await sellFile(await signUp(app));
    const page = await openPage(app);
    await unlockOnPage(page, `/p/${id}`);
    const downloading = page.waitForEvent('download');
    await payOnPage(page);
    await waitForSuccess(page);
    await page
      .getByRole('heading', { level: 1, name: 'Payment Successful', exact: true })
      .waitFor();
    await page
      .getByText(
        'Thank you for your purchase. Your file is now unlocked and should be downloading.',
        { exact: true },
      )
      .waitFor();
    // While a navigation is about to become a download, the browser tells of an empty document.
    expect((await downloading).suggestedFilename()).toBe('notes.pdf');
    expect(await page.title()).toBe('Payment Successful · Padlink');
    await page.getByRole('link', { name: 'Go to Homepage', exact: true }).click();
    await page.waitForURL('/');
  });

  test('/failed says that the payment did not go through and leads to the homepage', async () => {
    const page = await openPage(app);
    await page.goto('/failed');
    await page.getByRole('heading', { level: 1, name: 'Payment Failed', exact: true }).waitFor();
    await page
      .getByText(
        'Unfortunately, your payment did not go through. Please try again or contact support if the issue persists.',
        { exact: true },
      )
      .waitFor();
    expect(await page.title()).toBe('Payment Failed · Padlink');
    await page.getByRole('link', { name: 'Try Again', exact: true }).click();
    await page.waitForURL('/');
  });

  test('/failed of a link has a way back to it, beside the specified one', {
    tags: 'long',
  }, async () => {
    const { id } = await sellFile(await signUp(app));
    const page = await openPage(app);
    await page.goto(`/failed?link=${id}`);
    const again = page.getByRole('link', { name: 'Try Again', exact: true });
    expect(await again.getAttribute('href')).toBe('/');
    await page.getByRole('link', { name: 'Back to the link', exact: true }).click();
    await page.waitForURL(`/p/${id}`);
    await page.getByRole('button', { name: 'Unlock Now' }).waitFor();
  });

  test.each(['', 'ABCDEF12', '1234567', '../explore', '//example.com', '%22%3E%3Cb%3E'])(
    '/failed leads to no link by link=%s',
    async (value) => {
      const page = await openPage(app);
      await page.goto(`/failed?link=${value}`);
      await page.getByRole('link', { name: 'Try Again', exact: true }).waitFor();
      expect(await page.getByText('Back to the link').count()).toBe(0);
    },
  );
});

describe('the support address of the operator', () => {
  const app = useApp({ env: { SUPPORT_EMAIL: 'help@example.com' } });

  test('stands where /failed sends people to support', { tags: 'long' }, async () => {
    const page = await openPage(app);
    await page.goto('/failed');
    const support = page.getByRole('main').getByRole('link', { name: 'help@example.com' });
    expect(await support.getAttribute('href')).toBe('mailto:help@example.com');
  });
});
