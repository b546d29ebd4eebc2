import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createLink, signUp, uploadFile } from '../factories/factories.ts';
import { pdf } from '../factories/pdf.ts';
import { readPdf } from '../factories/read-pdf.ts';
import { openPage } from '../harness/browser.ts';
import { useApp } from '../harness/use-app.ts';

describe('a stamped PDF', () => {
  const app = useApp();

  test('a seller has a PDF stamped, and its buyer is told so and gets their copy', async () => {
    const seller = await signUp(app);
    const { key } = await uploadFile(seller, { name: 'book.pdf', bytes: pdf(2) });
    const { id } = await createLink(seller, { key, title: 'A book' });
    const own = await openPage(app, { as: seller });
    await own.goto(`/dashboard?edit=${id}`);
    await own.getByText('More options').click();
    await own.getByLabel('Stamp each page with the buyer’s email address').check();
    await own.getByRole('button', { name: 'Save', exact: true }).click();
    await own.getByText('A book was saved.').waitFor();

    const page = await openPage(app);
    await page.goto(`/p/${id}`);
    await page.getByText('Stamped with your email address').waitFor();
    await page.getByRole('button', { name: 'Unlock Now' }).click();
    await page.getByLabel('Card number').fill('4242 4242 4242 4242');
    await page.getByLabel('Expiry').fill('12 / 34');
    await page.getByLabel('CVC').fill('123');
    await page.getByLabel('Email').fill('buyer@example.com');
    // It begins by itself after the payment.
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: /^Pay/ }).click();
    const download = await downloading;
    const pages = await readPdf(readFileSync(await download.path()));
    expect(pages).toHaveLength(2);
    for (const words of pages) expect(words).toMatch(/Chapter one[\s\S]*buyer@example\.com/);
  });
});
