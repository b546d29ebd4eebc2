import type { Page } from 'playwright-core';
import type { State } from './state.ts';

const visit: State['visit'] = ({ creator }) => ({ path: '/upload', person: creator });
const OVER_QUOTA = {
  code: 'QUOTA_EXCEEDED',
  detail:
    'Your files, including unfinished uploads, use 107 GB of your account’s 107 GB, and this one is 5 bytes. Delete files that you no longer sell, or ask the operator of this site for more space.',
};
const upload = (page: Page) => page.getByRole('button', { name: 'Upload', exact: true }).click();

export const UPLOAD_STATES: State[] = [
  { name: 'upload', visit },
  { name: 'upload-filled-in', visit, arrange: fillIn },
  {
    name: 'upload-address',
    visit,
    async arrange(page) {
      await page.getByRole('button', { name: 'or sell a web address' }).click();
      await page.getByLabel('Web address').waitFor();
    },
  },
  {
    name: 'upload-no-file',
    visit,
    async arrange(page) {
      await upload(page);
      await page.getByText('Select a file first.').waitFor();
    },
  },
  {
    name: 'upload-wrong-price',
    visit,
    async arrange(page) {
      await fillIn(page);
      await page.getByLabel('Price (USD)').fill('0');
      await upload(page);
      await page.getByText('Enter a valid price greater than $0.').waitFor();
    },
  },
  {
    name: 'upload-uploading',
    visit,
    async arrange(page) {
      await page.route('**/uploads/**', () => {});
      await fillIn(page);
      await upload(page);
      await page.getByRole('progressbar').waitFor();
    },
  },
  {
    name: 'upload-failed',
    visit,
    async arrange(page) {
      await page.route('**/uploads', (route) => route.fulfill({ status: 403, json: OVER_QUOTA }));
      await fillIn(page);
      await upload(page);
      await page.getByText('Failed to upload.').waitFor();
    },
    expectedErrors: /403 \/uploads/,
  },
  {
    name: 'upload-done',
    // An account whose dashboard no other state shows.
    visit: ({ secured }) => ({ path: '/upload', person: secured }),
    async arrange(page) {
      await fillIn(page);
      await upload(page);
      await page.getByText('Your paywall link:').waitFor();
    },
  },
];

async function fillIn(page: Page): Promise<void> {
  const file = { name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('notes') };
  await page.getByLabel('Choose File').setInputFiles(file);
  await page.getByLabel('Price (USD)').fill('4.99');
}
