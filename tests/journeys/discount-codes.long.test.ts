import { describe, expect, test } from 'vitest';
import { graphql, readMail, sellFile, signUp } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import { useApp } from '../harness/use-app.ts';
import { waitUntilAlive } from './steps.ts';

describe('discount codes', () => {
  const app = useApp();

  test('a seller makes a code, a buyer pays less with it, and the seller ends it', async () => {
    const seller = await signUp(app);
    const { id } = await sellFile(seller, { price: 1000 });
    const own = await openPage(app, { as: seller });
    await own.goto('/dashboard');
    await own.getByRole('link', { name: 'Codes and gifts' }).click();
    await waitUntilAlive(own);
    await own.getByText('New code').click();
    await own.getByLabel('Code', { exact: true }).fill('spring');
    await own.getByLabel('How much').fill('25');
    await own.getByLabel('Last day').fill('2099-12-31');
    await own.getByLabel('Links').fill(`${app.origin}/p/${id}`);
    await own.getByRole('button', { name: 'Create code' }).click();
    await own.getByText('The code SPRING can be used.').waitFor();
    await own.getByText('25% off, until Dec 31, 2099 (UTC)').waitFor();
    const { listDiscounts } = await graphql<{ listDiscounts: { items: unknown[] } }>(
      seller,
      '{ listDiscounts { items { code percent until links } } }',
    );
    expect(listDiscounts.items).toEqual([
      { code: 'SPRING', percent: 25, until: '2100-01-01T00:00:00.000Z', links: [id] },
    ]);

    const page = await openPage(app, { expectedErrors: /409 .prod.checkout/ });
    await page.goto(`/p/${id}`);
    await page.getByRole('link', { name: 'Have a discount code?' }).click();
    await page.getByLabel('Discount code').fill('summer');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('There is no such discount code for this link.').waitFor();
    await page.getByLabel('Discount code').fill('spring');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('$2.50 off the usual price of $10.00').waitFor();
    await page.getByRole('button', { name: 'Unlock Now' }).click();
    await page.waitForURL(/\/sandbox\/checkout\//);
    await page.getByText('$7.50').first().waitFor();
    await page.goto(`/p/${id}?code=spring`);

    await own.getByRole('button', { name: 'End the code SPRING' }).click();
    await own.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click();
    await own.getByText('The code SPRING has ended.').waitFor();
    await page.getByRole('button', { name: 'Unlock Now' }).click();
    await page.getByText('There is no such discount code for this link.').waitFor();
    expect(await page.getByText('An error occurred').count()).toBe(0);
  });

  test.each([true, false])(
    'a code that takes off everything unlocks at once, with JavaScript: %s',
    async (javaScript) => {
      const seller = await signUp(app);
      const { id } = await sellFile(seller, { price: 300 });
      const made = 'mutation ($input: CreateDiscountInput!) { createDiscount(input: $input) }';
      await graphql(seller, made, { input: { code: 'REVIEWER', percent: 100 } });
      const page = await openPage(app, { javaScript });
      await page.goto(`/p/${id}?code=reviewer`);
      await page.getByText('Free', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Unlock Now' }).click();
      await page.getByText('This content is unlocked for you.').waitFor();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download' }).click(),
      ]);
      expect(await download.failure()).toBeNull();
    },
  );

  test.each([true, false])(
    'a buyer of a gift asks for a code without typing it again, with JavaScript: %s',
    async (javaScript) => {
      const seller = await signUp(app);
      const { id } = await sellFile(seller, { price: 1000 });
      const input = { code: 'PRESENT', percent: 25 };
      const make = 'mutation ($input: CreateDiscountInput!) { createDiscount(input: $input) }';
      await graphql(seller, make, { input });
      const page = await openPage(app, { javaScript });
      await page.goto(`/p/${id}`);
      await page.getByRole('link', { name: 'Give as a gift' }).click();
      const email = page.getByLabel('Recipient’s email address');
      await email.fill('ann@example.com');
      await page.getByLabel('Message (optional)').fill('For Ann');
      await page.getByRole('button', { name: 'Have a discount code?' }).click();
      // Enter applies it as well, and leads nobody to the checkout.
      await page.getByLabel('Discount code').fill('past');
      await page.getByLabel('Discount code').press('Enter');
      await page.getByText('There is no such discount code for this link.').waitFor();
      await page.getByLabel('Discount code').fill('present');
      expect(await email.inputValue()).toBe('ann@example.com');
      await page.getByRole('button', { name: 'Apply' }).click();
      await page.getByText('$2.50 off the usual price of $10.00').waitFor();
      expect(await email.inputValue()).toBe('ann@example.com');
      expect(await page.getByLabel('Message (optional)').inputValue()).toBe('For Ann');
      expect(page.url()).toBe(`${app.origin}/p/${id}`);
      await page.getByRole('button', { name: 'Unlock Now' }).click();
      await page.waitForURL(/\/sandbox\/checkout\//);
      await page.getByText('$7.50').first().waitFor();
    },
  );

  test('a seller gives a link, and whoever it is given to opens it', async () => {
    const seller = await signUp(app);
    const { id } = await sellFile(seller, { price: 300 });
    const own = await openPage(app, { as: seller });
    await own.goto('/dashboard/codes');
    await waitUntilAlive(own);
    await own.getByText('Give a link to someone').click();
    await own.getByLabel('Link', { exact: true }).fill(`${app.origin}/p/${id}`);
    await own.getByLabel('Recipient’s email address').fill('reviewer@example.com');
    await own.getByLabel('Message (optional)').fill('For your review.');
    await own.getByRole('button', { name: 'Give the link' }).click();
    await own.getByText('Your gift is on its way to reviewer@example.com.').waitFor();
    expect(await own.getByLabel('Message (optional)').inputValue()).toBe('');

    const { text } = await readMail(app, 'reviewer@example.com');
    const page = await openPage(app);
    await page.goto(/\/access\/\S+/.exec(text)?.[0] ?? '');
    await page.getByRole('button', { name: 'Open your gift' }).click();
    await page.waitForURL(`**/p/${id}`);
    await page.getByText('notes.pdf').first().waitFor();
  });
});
