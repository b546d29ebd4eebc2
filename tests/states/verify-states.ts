import type { Page } from 'playwright-core';
import { waitUntilAlive } from '../journeys/steps.ts';
import type { Scene } from './scene.ts';
import type { State } from './state.ts';

const visit: State['visit'] = () => ({ path: '/verify' });

export const VERIFY_STATES: State[] = [
  { name: 'verify', visit },
  {
    name: 'verify-genuine',
    visit,
    async arrange(page, scene) {
      await choose(page, await fetchReceipt(scene));
      await page.getByText('This receipt is genuine').waitFor();
      const bought = { name: 'bought.pdf', buffer: await fetchContent(scene) };
      const other = { name: 'other.pdf', buffer: Buffer.from('another file') };
      await page
        .getByLabel('Choose files')
        .setInputFiles([bought, other].map((file) => ({ ...file, mimeType: 'application/pdf' })));
      await page.getByText('other.pdf is not one of the files').waitFor();
      await page.getByText('bought.pdf is, byte for byte,').waitFor();
    },
  },
  {
    name: 'verify-checking',
    visit,
    async arrange(page, scene) {
      await page.evaluate(() => {
        crypto.subtle.verify = () => new Promise(() => {});
      });
      await choose(page, await fetchReceipt(scene));
      await page.getByText('Verifying...').waitFor();
    },
  },
  {
    name: 'verify-wrong',
    visit,
    async arrange(page, scene) {
      await choose(page, (await fetchReceipt(scene)).replace('"USD"', '"EUR"'));
      await page.getByText('The signature is wrong.').waitFor();
    },
  },
  {
    name: 'verify-unknown-key',
    visit,
    async arrange(page, scene) {
      await choose(page, (await fetchReceipt(scene)).replace(/"key": ".*"/, '"key": "other"'));
      await page.getByText('This receipt names a key that this site did not have').waitFor();
    },
  },
  {
    name: 'verify-unreadable',
    visit,
    async arrange(page) {
      await choose(page, 'Dear customer');
      await page.getByText('This file is not a signed receipt').waitFor();
    },
  },
  {
    name: 'verify-unsupported',
    visit,
    async arrange(page, scene) {
      await page.evaluate(() => {
        crypto.subtle.importKey = () =>
          Promise.reject(new DOMException('Unrecognized name.', 'NotSupportedError'));
      });
      await choose(page, await fetchReceipt(scene));
      await page.getByText('This browser cannot verify').waitFor();
    },
  },
];

async function choose(page: Page, receipt: string): Promise<void> {
  await waitUntilAlive(page);
  const file = {
    name: 'padlink-receipt.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from(receipt),
  };
  await page.getByLabel('Choose the receipt').setInputFiles(file);
}

async function fetchReceipt({ buyer, links }: Scene): Promise<string> {
  return (await buyer.fetch(`/p/${links.file}/receipt`)).text();
}

async function fetchContent({ buyer, links }: Scene): Promise<Buffer> {
  const way = await buyer.fetch(`/p/${links.file}/content`);
  const answer = await buyer.fetch(way.headers.get('location') ?? '');
  return Buffer.from(await answer.arrayBuffer());
}
