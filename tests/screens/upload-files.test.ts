import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { createLink, graphql, sellFile, signUp } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import type { Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { waitUntilAlive } from '../journeys/steps.ts';

describe('several files on the upload page', () => {
  const app = useApp({ env: { ACCOUNT_QUOTA_BYTES: '3000' } });
  let creator: Person;

  beforeAll(async () => {
    creator = await signUp(app);
  });

  async function open(path = '/upload'): Promise<Page> {
    const page = await openPage(app, { as: creator });
    await page.goto(path);
    await waitUntilAlive(page);
    return page;
  }

  const fileOf = (name: string, bytes = 10) => ({
    name,
    mimeType: 'text/plain',
    buffer: Buffer.alloc(bytes, name),
  });
  const choose = (page: Page, label: string, ...names: string[]) =>
    page.getByLabel(label).setInputFiles(names.map((name) => fileOf(name)));
  const press = (page: Page, name: string) =>
    page.getByRole('button', { name, exact: true }).click();
  const names = (page: Page) => page.locator('[data-file] > p').allTextContents();
  const said = (page: Page, words: string | RegExp) =>
    page.getByRole('status').getByText(words).waitFor();

  async function sell(page: Page): Promise<string> {
    await page.getByLabel('Price (USD)').fill('5');
    await press(page, 'Upload');
    await page.getByText('Upload successful. Paywall link created.').waitFor();
    return (await page.getByLabel('Your paywall link:').inputValue()).slice(-8);
  }

  async function readFiles(id: string): Promise<string[]> {
    const { getPaywallLink } = await graphql<{ getPaywallLink: { files: { name: string }[] } }>(
      creator,
      'query ($id: ID!) { getPaywallLink(id: $id) { files { name } } }',
      { id },
    );
    return getPaywallLink.files.map(({ name }) => name);
  }

  test('are put in order by keys and by dragging, renamed and removed, and sold so', {
    tags: 'long',
  }, async () => {
    const page = await open();
    await choose(page, 'Choose File', 'one.txt', 'two.txt');
    await choose(page, 'Add more files', 'three.txt', 'four.txt');
    await press(page, 'Move three.txt up');
    await said(page, 'three.txt is now 2 of 4.');
    expect(
      await page.getByLabel('Move three.txt up').evaluate((one) => one.matches(':focus')),
    ).toBe(true);
    await page.keyboard.press('Enter');
    expect(await names(page)).toEqual(['three.txt', 'one.txt', 'two.txt', 'four.txt']);
    await press(page, 'Remove two.txt');
    const grips = page.locator('.upload-grip');
    const [from, to] = [await grips.nth(0).boundingBox(), await grips.nth(2).boundingBox()];
    if (!from || !to) throw new Error('There is nothing to drag.');
    await page.mouse.move(from.x + 5, from.y + 5);
    await page.mouse.down();
    await page.mouse.move(to.x + 5, to.y + to.height, { steps: 5 });
    await page.mouse.up();
    expect(await names(page)).toEqual(['one.txt', 'four.txt', 'three.txt']);
    await press(page, 'Rename four.txt');
    await page.keyboard.type('ONE');
    await page.keyboard.press('Enter');
    expect(await names(page)).toEqual(['one.txt', 'ONE (2).txt', 'three.txt']);
    expect(await readFiles(await sell(page))).toEqual(['one.txt', 'ONE (2).txt', 'three.txt']);
  });

  test('come from a folder, whose name is the title, without what it hides', {
    tags: 'long',
  }, async () => {
    const folder = join(app.dataDir, '..', 'Study pack');
    mkdirSync(join(folder, 'week 1', '.git'), { recursive: true });
    for (const path of ['.DS_Store', 'b.txt', 'week 1/b.txt', 'week 1/.git/config', 'a 10.txt']) {
      writeFileSync(join(folder, path), path);
    }
    const page = await open();
    await page.getByLabel('Folder').setInputFiles(folder);
    const all = ['Study pack/a 10.txt', 'Study pack/b.txt', 'Study pack/week 1/b.txt'];
    await said(page, /^3 files, \d+ bytes\. 2 hidden files were left out\.$/);
    expect(await names(page)).toEqual(all);
    expect(await page.getByLabel('Title (optional)').inputValue()).toBe('Study pack');
    const dropped = await open();
    const { x, y } = { x: 600, y: 300 };
    const client = await dropped.context().newCDPSession(dropped);
    const data = { items: [], files: [folder], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      await client.send('Input.dispatchDragEvent', { type, x, y, data });
    }
    await said(dropped, /^3 files, \d+ bytes\. 2 hidden files were left out\.$/);
    expect(await names(dropped)).toEqual(all);
  });

  test('keep their folders, also where two are alike but for these', {
    tags: 'long',
  }, async () => {
    // As macOS may have it, whose é are two characters.
    const folder = join(app.dataDir, '..', 'Été'.normalize('NFD'));
    for (const track of ['track1', 'track2']) {
      mkdirSync(join(folder, track), { recursive: true });
      writeFileSync(join(folder, track, 'mix.txt'), track);
      utimesSync(join(folder, track, 'mix.txt'), 1, 1);
    }
    const page = await open();
    await page.getByLabel('Folder').setInputFiles(folder);
    await said(page, /^2 files, \d+ bytes\.$/);
    const paths = ['Été/track1/mix.txt', 'Été/track2/mix.txt'];
    expect(await names(page)).toEqual(paths);
    const id = await sell(page);
    expect(await readFiles(id)).toEqual(paths);
    for (const [file, content] of ['track1', 'track2'].entries()) {
      const way = (await creator.fetch(`/p/${id}/content?file=${file}`)).headers.get('location');
      expect(await (await creator.fetch(way ?? '')).text()).toBe(content);
    }
    await page.goto(`/p/${id}`);
    for (const path of paths) await page.getByText(path, { exact: true }).waitFor();

    await page.goto(`/upload?link=${id}`);
    await waitUntilAlive(page);
    writeFileSync(join(folder, 'track2', 'mix.txt'), 'new');
    await page.getByLabel('Add a folder').setInputFiles(folder);
    await press(page, 'Rename Été/track1/mix.txt');
    await page.keyboard.type('first/mix');
    await page.keyboard.press('Enter');
    await press(page, 'Replace');
    await page.getByText('The content was replaced.').waitFor();
    expect(await readFiles(id)).toEqual(['Été/track1/first mix.txt', paths[1]]);
  });

  test('are refused as a whole when they are too many, or too large for the account', {
    tags: 'long',
  }, async () => {
    const page = await open();
    await choose(page, 'Choose File', ...Array.from({ length: 20 }, (_, n) => `${n}.txt`));
    await page.getByText('20 files, 200 bytes.').waitFor();
    await choose(page, 'Add more files', 'another.txt');
    await page.getByRole('alert').getByText('A link can sell up to 20 files').waitFor();
    expect((await names(page)).length).toBe(20);
    const large = await open();
    await large
      .getByLabel('Choose File')
      .setInputFiles([fileOf('a.bin', 2000), fileOf('b.bin', 2000)]);
    await large.getByLabel('Price (USD)').fill('5');
    const posts: string[] = [];
    large.on('request', (request) => posts.push(request.url()));
    await press(large, 'Upload');
    await large
      .getByRole('alert')
      .getByText(/^These files take up 4\.0 kB, and there is room for \d\.\d kB\.$/)
      .waitFor();
    expect(posts.filter((url) => url.includes('/uploads'))).toEqual([]);
  });

  test('replace those of a link beside what it keeps, also under a name that is on sale', {
    tags: 'long',
  }, async () => {
    const { id } = await sellFile(creator, { name: 'notes.txt' });
    const page = await open('/dashboard');
    await page
      .getByRole('button', { name: /^Manage / })
      .first()
      .click();
    await page.getByRole('link', { name: 'Replace content' }).first().click();
    await page.waitForURL(/\/upload\?link=[0-9a-f]{8}$/);
    await page.goto(`/upload?link=${id}`);
    await waitUntilAlive(page);
    await page.getByText(/On sale$/).waitFor();
    await choose(page, 'Add more files', 'extra.txt');
    await press(page, 'Move extra.txt up');
    await press(page, 'Replace');
    await page.getByText('The content was replaced.').waitFor();
    expect(await readFiles(id)).toEqual(['extra.txt', 'notes.txt']);
    await page.goto(`/upload?link=${id}`);
    await waitUntilAlive(page);
    await choose(page, 'Add more files', 'notes.txt');
    await page.getByText(/On sale$/).waitFor();
    await press(page, 'Replace');
    await page.getByText('The content was replaced.').waitFor();
    expect(await readFiles(id)).toEqual(['extra.txt', 'notes.txt']);
  });

  test('are told to buyers where that is wanted, also after the upload was interrupted', {
    tags: 'long',
  }, async () => {
    const { id } = await sellFile(creator, { name: 'notes.txt', size: 10 });
    const page = await open(`/upload?link=${id}`);
    await choose(page, 'Add more files', 'extra.txt');
    await page.getByLabel('Tell buyers').check();
    await page.route('**/uploads/*', () => {});
    await press(page, 'Replace');
    await page.getByRole('progressbar', { name: 'Upload' }).waitFor();
    page.once('dialog', (dialog) => dialog.accept());
    await page.reload();
    await waitUntilAlive(page);
    await page.getByText('Your upload was interrupted.').waitFor();
    await page.unroute('**/uploads/*');
    expect(await page.getByLabel('Tell buyers').isChecked()).toBe(true);
    await choose(page, 'Choose again', 'extra.txt');
    const asked = page.waitForRequest('**/graphql');
    await press(page, 'Replace');
    expect((await asked).postDataJSON().variables.input).toMatchObject({ id, tellBuyers: true });
    await page.getByText('The content was replaced.').waitFor();
  });

  test('are replaced by nobody but their owner; of a web address, the address is', async () => {
    const { id } = await createLink(creator, { type: 'link', url: 'https://example.com/old' });
    const page = await open(`/upload?link=${id}`);
    await page.getByLabel('Web address').fill('example.com/new');
    await press(page, 'Replace');
    await page.getByText('The content was replaced.').waitFor();
    const { getPaywallLink } = await graphql<{ getPaywallLink: { url: string } }>(
      creator,
      `{ getPaywallLink(id: "${id}") { url } }`,
    );
    expect(getPaywallLink.url).toBe('https://example.com/new');
    const stranger = await signUp(app);
    for (const link of [id, '00000000', 'nonsense']) {
      expect((await stranger.fetch(`/upload?link=${link}`)).status).toBe(404);
    }
  });
});
