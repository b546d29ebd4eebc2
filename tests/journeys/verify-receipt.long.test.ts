import { describe, expect, test } from 'vitest';
import { sellFile, signUp, waitUntilUnlocked } from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { openPage } from '../harness/browser.ts';
import { createPerson } from '../harness/person.ts';
import { runCli } from '../harness/run-command.ts';
import { useApp } from '../harness/use-app.ts';
import { waitUntilAlive } from './steps.ts';

describe('the page that verifies signed receipts', () => {
  const app = useApp();

  test('tells genuine ones and their files from others, offline and after the key was rotated', async () => {
    const link = await sellFile(await signUp(app), { name: 'film.bin', size: 3_000_000 });
    const buyer = createPerson(app);
    await payFor(buyer, link.id);
    await waitUntilUnlocked(buyer, link.id);
    const receipt = await (await buyer.fetch(`/p/${link.id}/receipt`)).text();
    await runCli(app.env, 'keys', 'rotate');

    const page = await openPage(app);
    await page.goto('/verify');
    await waitUntilAlive(page);
    await page.context().setOffline(true);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    const choose = (label: string, name: string, content: string | Uint8Array) =>
      page
        .getByLabel(label)
        .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });

    await choose('Choose the receipt', 'receipt.txt', receipt);
    await page.getByRole('heading', { name: 'This receipt is genuine' }).waitFor();
    await page.getByText('5.00 USD').waitFor();
    await page.getByText(/A key that this site has used since .* until /).waitFor();
    await choose('Choose files', 'film.bin', link.bytes);
    await page.getByText('film.bin is, byte for byte, a file in this receipt.').waitFor();
    await choose('Choose files', 'film.bin', link.bytes.toReversed());
    await page.getByText('film.bin is not one of the files in this receipt.').waitFor();

    await choose('Choose the receipt', 'receipt.txt', receipt.replace('"5.00"', '"9.00"'));
    await page.getByText('The signature is wrong.').waitFor();
    expect(await page.getByText('9.00').count()).toBe(0);
    await choose('Choose the receipt', 'receipt.txt', receipt.slice(0, -40));
    await page.getByText('This file is not a signed receipt').waitFor();
    expect(requests).toEqual([]);
  });
});
