import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { graphql, publishableKey, seeLink, signUp, uploadFile } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { expectFault } from './expect-fault.ts';
import { holdRequests } from './hold-requests.ts';

const notes = { name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('notes') };

describe('the upload screen', () => {
  const app = useApp();
  let creator: Person;

  beforeAll(async () => {
    creator = await signUp(app);
  });

  async function openUpload(): Promise<Page> {
    const page = await openPage(app, { as: creator });
    await page.goto('/upload');
    return page;
  }

  const chooser = (page: Page) => page.getByLabel('Choose File');
  const price = (page: Page) => page.getByLabel('Price (USD)');
  const title = (page: Page) => page.getByLabel('Title (optional)');
  const upload = (page: Page) => page.getByRole('button', { name: 'Upload', exact: true }).click();

  async function expectRefusal(page: Page, field: Locator, message: string): Promise<void> {
    await upload(page);
    await expectFault(page, field, message);
  }

  /** Waits for the new link and returns its id. */
  async function findNewId(page: Page): Promise<string> {
    await page.getByText('Upload successful. Paywall link created.', { exact: true }).waitFor();
    await page.getByText('Your paywall link:', { exact: true }).waitFor();
    const address = await page.getByLabel('Your paywall link:').inputValue();
    expect(address).toMatch(new RegExp(`^${app.origin}/p/[0-9a-f]{8}$`));
    return address.slice(-8);
  }

  /** The link as its owner sees it. */
  async function readLink(id: string) {
    const { getPaywallLink } = await graphql<{
      getPaywallLink: { type: string; key: string; price: number; title: string | null };
    }>(creator, 'query ($id: ID!) { getPaywallLink(id: $id) { type key price title } }', { id });
    return getPaywallLink;
  }

  test('has its title, its subtitle and its fields', { tags: 'long' }, async () => {
    const page = await openUpload();
    expect(await page.title()).toBe('Upload a File · Padlink');
    await page.getByRole('heading', { level: 1, name: 'Upload a File', exact: true }).waitFor();
    await page.getByText('Set your price and generate a paywall link.', { exact: true }).waitFor();
    await page.getByText('Choose File', { exact: true }).waitFor();
    expect(await chooser(page).getAttribute('type')).toBe('file');
    await page.getByText('Price (USD)', { exact: true }).waitFor();
    expect(await price(page).getAttribute('type')).toBe('number');
    expect(await price(page).getAttribute('min')).toBe('0');
    expect(await price(page).getAttribute('step')).toBe('0.01');
    await page.getByRole('button', { name: 'Upload', exact: true }).waitFor();
  });

  test('takes a file that was chosen before the scripts of the page were there', {
    tags: 'long',
  }, async () => {
    const page = await openPage(app, { as: creator });
    const letThrough = await holdRequests(page, '**/*.js');
    await page.goto('/upload', { waitUntil: 'commit' });
    await chooser(page).setInputFiles(notes);
    letThrough();
    await page.getByText('notes.pdf', { exact: true }).waitFor();
    await price(page).fill('5');
    await upload(page);
    await findNewId(page);
  });

  test('shows the name of the chosen file, and of another one chosen instead', {
    tags: 'long',
  }, async () => {
    const page = await openUpload();
    await chooser(page).setInputFiles(notes);
    await page.getByText('notes.pdf', { exact: true }).waitFor();
    await chooser(page).setInputFiles({ ...notes, name: 'other.pdf' });
    await page.getByText('other.pdf', { exact: true }).waitFor();
    expect(await page.getByText('notes.pdf').count()).toBe(0);
  });

  test('asks for a file first, also when the price is wrong too', { tags: 'long' }, async () => {
    const page = await openUpload();
    for (const typed of ['', '-1', '5']) {
      await price(page).fill(typed);
      await expectRefusal(page, chooser(page), 'Select a file first.');
    }
  });

  test.each(['', 'abc', '0', '-1', '0.004'])(
    'asks for a valid price once there is a file: %j is none',
    { tags: 'long' },
    async (typed) => {
      const page = await openUpload();
      await chooser(page).setInputFiles(notes);
      await price(page).pressSequentially(typed);
      await expectRefusal(page, price(page), 'Enter a valid price greater than $0.');
      await page.getByText('notes.pdf', { exact: true }).waitFor();
    },
  );

  test('names the largest price where a price is beyond it', { tags: 'long' }, async () => {
    const page = await openUpload();
    await chooser(page).setInputFiles(notes);
    await price(page).fill('1000000');
    await expectRefusal(page, price(page), 'The maximum price is $999,999.99.');
  });

  test('tells whoever is signed in no more, after file and price were found good', {
    tags: 'long',
  }, async () => {
    const person = await signUp(app);
    const page = await openPage(app, { as: person, expectedErrors: /401 \/uploads/ });
    await page.goto('/upload');
    await person.fetch('/logout', { method: 'POST' });
    await expectRefusal(page, chooser(page), 'Select a file first.');
    await chooser(page).setInputFiles(notes);
    await expectRefusal(page, price(page), 'Enter a valid price greater than $0.');
    await price(page).fill('5');
    await upload(page);
    await page.getByRole('alert').getByText('User not authenticated.', { exact: true }).waitFor();
    await page.locator('[data-form-error]:focus').waitFor();
    await page.getByText('notes.pdf', { exact: true }).waitFor();
    expect(await price(page).inputValue()).toBe('5');
  });

  test('makes a locked link of the file and shows its address', { tags: 'long' }, async () => {
    const page = await openUpload();
    await chooser(page).setInputFiles(notes);
    await price(page).fill('4.99');
    await upload(page);
    const id = await findNewId(page);
    expect(await readLink(id)).toMatchObject({
      type: 'file',
      key: `public/${id}-notes.pdf`,
      price: 499,
    });
    expect(await seeLink(createPerson(app), id)).toMatchObject({ unlocked: false, price: 499 });
  });

  test.each([
    ['1.005', 100],
    ['19.99', 1999],
    ['1e2', 10_000],
  ])('turns %s dollars into %d cents', { tags: 'long' }, async (typed, cents) => {
    const page = await openUpload();
    await chooser(page).setInputFiles(notes);
    await price(page).fill(typed);
    await upload(page);
    expect((await readLink(await findNewId(page))).price).toBe(cents);
  });

  test('says what buyers pay in whole cents, where the price was typed with more digits', async () => {
    const page = await openUpload();
    await price(page).fill('4.999');
    await page.getByText('Buyers pay $5.00. You receive $4.45.', { exact: true }).waitFor();
  });

  test('says what buyers pay for a price that was typed before the page was alive', async () => {
    const page = await openPage(app, { as: creator });
    const letThrough = await holdRequests(page, '**/assets/*.js');
    await page.goto('/upload', { waitUntil: 'commit' });
    await price(page).fill('5');
    letThrough();
    await page.getByText('Buyers pay $5.00. You receive $4.45.', { exact: true }).waitFor();
  });

  test('takes a dropped file, whose name may hold emoji and quotes', { tags: 'long' }, async () => {
    const page = await openUpload();
    const transfer = await page.evaluateHandle(() => {
      const data = new DataTransfer();
      data.items.add(new File(['dropped'], '🎸 Übung "live".txt', { type: 'text/plain' }));
      return data;
    });
    await page.getByRole('button', { name: 'or sell a web address' }).waitFor();
    await page.dispatchEvent('form:has(input[type=file])', 'drop', { dataTransfer: transfer });
    await page.getByText('🎸 Übung "live".txt', { exact: true }).waitFor();
    await price(page).fill('1');
    await upload(page);
    const id = await findNewId(page);
    expect((await readLink(id)).key).toBe(`public/${id}-🎸 Übung "live".txt`);
  });

  test('takes a file with a very long name and keeps its ending', { tags: 'long' }, async () => {
    const page = await openUpload();
    const name = `${'長い名前'.repeat(50)}.pdf`;
    await chooser(page).setInputFiles({ ...notes, name });
    await page.getByText(name, { exact: true }).waitFor();
    await price(page).fill('1');
    await upload(page);
    const id = await findNewId(page);
    const { key } = await readLink(id);
    // As many whole characters of 3 bytes each as fit 255 bytes with the ending.
    expect(key).toBe(`public/${id}-${name.slice(0, 83)}.pdf`);
  });

  test("suggests the file's name as the title, until the creator types one", {
    tags: 'long',
  }, async () => {
    const page = await openUpload();
    await chooser(page).setInputFiles({ ...notes, name: 'Algebra in a week.pdf' });
    await page.getByText('Algebra in a week.pdf', { exact: true }).waitFor();
    expect(await title(page).inputValue()).toBe('Algebra in a week');
    await title(page).fill('My own words');
    await chooser(page).setInputFiles(notes);
    await page.getByText('notes.pdf', { exact: true }).waitFor();
    expect(await title(page).inputValue()).toBe('My own words');
    await price(page).fill('1');
    await upload(page);
    expect((await readLink(await findNewId(page))).title).toBe('My own words');
  });

  test('makes a link without a title where the creator clears it, and visitors see no file name', {
    tags: 'long',
  }, async () => {
    const page = await openUpload();
    await chooser(page).setInputFiles({ ...notes, name: 'Confidential.pdf' });
    await title(page).fill('');
    await price(page).fill('1');
    await upload(page);
    const id = await findNewId(page);
    expect((await readLink(id)).title).toBeNull();
    const visitor = createPerson(app);
    for (const path of [`/p/${id}`, '/explore', '/storage/list']) {
      const headers = await publishableKey(app);
      expect(await (await visitor.fetch(path, { headers })).text()).not.toContain('Confidential');
    }
  });
});

describe('the upload screen of an account with a small quota', () => {
  const app = useApp({ env: { MAX_FILE_BYTES: '1000', ACCOUNT_QUOTA_BYTES: '3000' } });

  test('says before an upload how much more may be uploaded, and less after it', {
    tags: 'long',
  }, async () => {
    const creator = await signUp(app);
    await uploadFile(creator, { name: 'first.pdf', bytes: new Uint8Array(500) });
    const page = await openPage(app, { as: creator });
    await page.goto('/upload');
    await page
      .getByText('Up to 20 files, at most 1.0 kB each. You can upload up to 2.5 kB more.')
      .waitFor();
    const buffer = Buffer.alloc(600);
    await page.getByLabel('Choose File').setInputFiles({ ...notes, buffer });
    await page.getByLabel('Price (USD)').fill('1');
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await page.getByRole('button', { name: 'Upload another file' }).click();
    await page
      .getByText('Up to 20 files, at most 1.0 kB each. You can upload up to 1.9 kB more.')
      .waitFor();
  });
});

describe('the upload screen of a server whose disk is full', () => {
  const app = useApp({ env: { MIN_FREE_DISK_BYTES: String(2 ** 50) } });

  test('promises no room, and says nothing of the disk, whatever the quota is', async () => {
    const page = await (await signUp(app)).fetch('/upload', { headers: { accept: 'text/html' } });
    const html = await page.text();
    expect(html).toContain('"room":{"bytes":0,"isQuota":false}');
    expect(html).not.toContain('You can upload up to');
  });
});
