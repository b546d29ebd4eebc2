import type { Page } from 'playwright-core';
import type { State } from './state.ts';

const visit: State['visit'] = ({ creator }) => ({ path: '/upload', person: creator });
const OVER_QUOTA = {
  code: 'QUOTA_EXCEEDED',
  detail:
    'Your files, including unfinished uploads, use 107 GB of your account’s 107 GB, and this one is 5 bytes. Delete files that you no longer sell, or ask the operator of this site for more space.',
};
const TOO_LARGE = {
  code: 'FILE_TOO_LARGE',
  detail: 'This file is larger than 5 GiB, the most that this site takes.',
};
const upload = (page: Page) => page.getByRole('button', { name: 'Upload', exact: true }).click();

export const UPLOAD_STATES: State[] = [
  { name: 'upload', visit },
  { name: 'upload-first', visit: ({ newcomer }) => ({ path: '/upload', person: newcomer }) },
  { name: 'upload-filled-in', visit, arrange: fillIn },
  {
    name: 'upload-options',
    visit,
    async arrange(page) {
      await fillIn(page);
      await page.getByText('More options').click();
      await page.getByLabel('Minimum price (optional)').fill('9');
      await upload(page);
      await page.getByRole('alert').waitFor();
    },
  },
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
  { name: 'upload-files', visit, arrange: chooseThree },
  {
    name: 'upload-replace',
    visit: ({ creator, links }) => ({ path: `/upload?link=${links.file}`, person: creator }),
    async arrange(page) {
      const buffer = Buffer.alloc(40_000);
      const file = { name: 'Second edition.pdf', mimeType: 'application/pdf', buffer };
      await page.getByLabel('Add more files').setInputFiles(file);
      await page.getByText('Second edition.pdf', { exact: true }).waitFor();
    },
  },
  {
    name: 'upload-replace-address',
    visit: ({ creator, links }) => ({ path: `/upload?link=${links.address}`, person: creator }),
  },
  {
    name: 'upload-replaced',
    visit: ({ creator, links }) => ({ path: `/upload?link=${links.address}`, person: creator }),
    async arrange(page) {
      const json = { data: { updatePaywallLink: { id: '00000000' } } };
      await page.route('**/graphql', (route) => route.fulfill({ json }));
      await page.getByRole('button', { name: 'Replace', exact: true }).click();
      await page.getByText('The content was replaced.').waitFor();
    },
  },
  {
    name: 'upload-queue',
    visit,
    async arrange(page) {
      await beginThree(page);
      await page.getByText('1 of 3 files uploaded').waitFor();
    },
  },
  {
    name: 'upload-queue-failed',
    visit,
    async arrange(page) {
      let asked = 0;
      await page.route('**/uploads', async (route) => {
        asked += 1;
        if (asked === 2) await route.fulfill({ status: 413, json: TOO_LARGE });
        else await route.continue();
      });
      await beginThree(page);
      await page.getByText('Failed').waitFor();
      await page.getByText('1 of 3 files uploaded').waitFor();
    },
    expectedErrors: /413 \/uploads/,
  },
  {
    name: 'upload-paused',
    visit,
    async arrange(page) {
      await beginThree(page);
      await page.getByText('1 of 3 files uploaded').waitFor();
      await page.getByRole('button', { name: 'Pause', exact: true }).click();
      await page.getByText('Paused. What has been uploaded is kept.').waitFor();
    },
  },
  {
    name: 'upload-offline',
    visit,
    async arrange(page) {
      await beginThree(page);
      await page.getByText('1 of 3 files uploaded').waitFor();
      await page.evaluate(() => {
        Object.defineProperty(navigator, 'onLine', { value: false });
        dispatchEvent(new Event('offline'));
      });
      await page.getByText('You are offline.').waitFor();
    },
  },
  {
    name: 'upload-resumed',
    visit,
    async arrange(page) {
      await beginThree(page);
      await page.getByText('1 of 3 files uploaded').waitFor();
      page.once('dialog', (dialog) => dialog.accept());
      await page.reload();
      await page.getByText('Your upload was interrupted.').waitFor();
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
  const file = { name: 'Optics.pdf', mimeType: 'application/pdf', buffer: Buffer.from('notes') };
  await page.getByLabel('Choose File').setInputFiles(file);
  await page.getByLabel('Price (USD)').fill('4.99');
}

async function chooseThree(page: Page): Promise<void> {
  await page
    .getByLabel('Choose File')
    .setInputFiles(
      [
        'Course, part 1.mp4',
        'Course, part 2.mp4',
        'Worksheets for all parts of the course.pdf',
      ].map((name) => ({ name, mimeType: 'application/pdf', buffer: Buffer.alloc(40_000, name) })),
    );
  await page.getByLabel('Price (USD)').fill('4.99');
  await page.getByText('Course, part 2.mp4', { exact: true }).waitFor();
}

/** The first one arrives; of the others nothing does. */
async function beginThree(page: Page): Promise<void> {
  let isFirst = true;
  await page.route('**/uploads/*', async (route) => {
    if (route.request().method() !== 'PATCH' || !isFirst) return;
    isFirst = false;
    await route.continue();
  });
  await chooseThree(page);
  await upload(page);
}
