import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLink, sellFile, signUp, uploadFile } from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { openPage } from '../harness/browser.ts';
import { eventually } from '../harness/eventually.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { waitUntilAlive } from '../journeys/steps.ts';
import { holdRequests } from './hold-requests.ts';

describe('content that was asked for', () => {
  const app = useApp();
  let buyer: Person;
  let file: string;
  let address: string;
  let slowSite: Awaited<ReturnType<typeof openSlowSite>>;
  let files: string;
  let successOf: Record<'file' | 'files' | 'address', string>;

  beforeAll(async () => {
    const seller = await signUp(app);
    file = (await sellFile(seller)).id;
    const keys: string[] = [];
    for (const name of ['one.txt', 'two.txt']) {
      keys.push((await uploadFile(seller, { name, bytes: Buffer.from(name) })).key);
    }
    files = (await createLink(seller, { key: keys[0], files: keys })).id;
    slowSite = await openSlowSite();
    address = (await createLink(seller, { type: 'link', url: slowSite.address })).id;
    buyer = createPerson(app);
    successOf = {
      file: await payFor(buyer, file),
      files: await payFor(buyer, files),
      address: await payFor(buyer, address),
    };
  });

  afterAll(() => slowSite.close());

  /** A site elsewhere that tells when it is asked, and answers when it is told to. */
  async function openSlowSite() {
    const { promise: asked, resolve } = Promise.withResolvers<() => void>();
    const server = createServer((_request, response) => resolve(() => response.end('A room')));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const close = () => server.close();
    return { address: `http://127.0.0.1:${port}/room`, asked, close };
  }

  async function openPaywall() {
    const opened = await openWaiting(`/p/${file}`);
    await waitUntilAlive(opened.page);
    return opened;
  }

  /** A page whose content lets itself be waited for, and what is busy on it, as it changes. */
  async function openWaiting(path: string) {
    const page = await openPage(app, { as: buyer });
    const letThrough = await holdRequests(page, '**/content*');
    const busy: string[][] = [];
    await page.exposeFunction('noteBusy', (texts: string[]) => busy.push(texts));
    // While a navigation waits, a page can be watched from within only.
    await page.addInitScript(() => {
      const { noteBusy } = window as unknown as { noteBusy(texts: string[]): void };
      let noted = '[]';
      new MutationObserver(() => {
        const all = [...document.querySelectorAll('[aria-busy=true]')];
        const texts = all.map(({ textContent }) => textContent ?? '');
        if (JSON.stringify(texts) === noted) return;
        noted = JSON.stringify(texts);
        noteBusy(texts);
      }).observe(document, { childList: true, subtree: true, attributes: true });
    });
    // What begins by itself may begin before the page has loaded, which then never ends.
    await page.goto(path, { waitUntil: 'commit' });
    return { page, letThrough, busy };
  }

  const press = (page: Page, role: 'link' | 'button', name: string | RegExp) =>
    page.getByRole(role, { name }).click({ noWaitAfter: true });

  const findOpening = <Cookie extends { name: string }>(cookies: Cookie[]) =>
    cookies.filter(({ name }) => name === 'padlink_opening');

  const isLast = (busy: string[][], texts: string[]) =>
    eventually(async () => expect(busy.at(-1)).toEqual(texts));

  test('by the button of the paywall page keeps the button busy until it begins to arrive', {
    tags: 'long',
  }, async () => {
    const { page, letThrough, busy } = await openPaywall();
    await press(page, 'button', /^Download$/);
    await isLast(busy, ['notes.pdfStarting...', 'Unlocking...']);
    const downloading = page.waitForEvent('download');
    letThrough();
    await downloading;
    await isLast(busy, []);
    await page.getByRole('button', { name: 'Download', exact: true }).waitFor();
  });

  test('is one archive where it is several files, after the payment and later', {
    tags: 'long',
  }, async () => {
    const { page, letThrough, busy } = await openWaiting(successOf.files);
    await isLast(busy, ['Starting...', 'Download all (ZIP)Starting...']);
    const byItself = page.waitForEvent('download');
    letThrough();
    expect((await byItself).suggestedFilename()).toMatch(/\.zip$/);
    await isLast(busy, []);
    await page.goto(`/p/${files}`);
    await waitUntilAlive(page);
    const byButton = page.waitForEvent('download');
    await press(page, 'button', /^Download$/);
    expect((await byButton).suggestedFilename()).toMatch(/\.zip$/);
  });

  test('by the row of a file says so in the row until it begins to arrive', {
    tags: 'long',
  }, async () => {
    const { page, letThrough, busy } = await openPaywall();
    await press(page, 'link', 'notes.pdf');
    await isLast(busy, ['notes.pdfStarting...', 'Unlocking...']);
    const downloading = page.waitForEvent('download');
    letThrough();
    await downloading;
    await isLast(busy, []);
    await page.getByRole('link', { name: 'notes.pdf 1.0 kB', exact: true }).waitFor();
  });

  test('by the success page itself says so until it begins to arrive, and may be asked for again', {
    tags: 'long',
  }, async () => {
    const { page, letThrough, busy } = await openWaiting(successOf.file);
    await isLast(busy, ['Starting...', 'notes.pdfStarting...']);
    const downloading = page.waitForEvent('download');
    letThrough();
    await downloading;
    await isLast(busy, []);
    for (const name of [/^Download$/, 'notes.pdf']) {
      const again = page.waitForEvent('download');
      await press(page, 'link', name);
      await again;
      await isLast(busy, []);
    }
  });

  test('of a web address says so until the site answers, however long that takes', {
    tags: 'long',
  }, async () => {
    const { page, letThrough, busy } = await openWaiting(successOf.address);
    await waitUntilAlive(page);
    await press(page, 'link', 'Open what you bought');
    await isLast(busy, ['Opening...']);
    letThrough();
    const answer = await slowSite.asked;
    // The way has led on: from here, the page looks whether anything still waits.
    expect(await page.context().cookies(app.origin).then(findOpening)).toHaveLength(1);
    answer();
    await page.waitForURL(slowSite.address);
    expect(busy).toEqual([['Opening...']]);
    await page.goBack();
    await page.getByRole('link', { name: 'Open what you bought' }).waitFor();
  });

  test('is waited for no more once the person has stopped it', { tags: 'long' }, async () => {
    const { page, busy } = await openPaywall();
    await press(page, 'link', 'notes.pdf');
    await isLast(busy, ['notes.pdfStarting...', 'Unlocking...']);
    const session = await page.context().newCDPSession(page);
    await session.send('Page.stopLoading');
    await isLast(busy, []);
    // It was not waited for until its time was over.
    expect(await page.context().cookies().then(findOpening)).toHaveLength(1);
  });

  test('and never begins to arrive may be asked for again', { tags: 'long' }, async () => {
    const { page, busy } = await openPaywall();
    const pressed = Date.now() / 1000;
    await press(page, 'link', 'notes.pdf');
    await isLast(busy, ['notes.pdfStarting...', 'Unlocking...']);
    const [cookie] = await page.context().cookies().then(findOpening);
    expect(cookie?.expires).toBeGreaterThan(pressed + 29);
    expect(cookie?.expires).toBeLessThan(Date.now() / 1000 + 31);
    // As the browser does when its time is over.
    await page.context().clearCookies({ name: 'padlink_opening' });
    await isLast(busy, []);
  });

  test('is told to be on its way by the answer that delivers it, and by no other', async () => {
    const visitor = createPerson(app);
    for (const [name, value] of buyer.cookies) visitor.cookies.set(name, value);
    const seeing = async (path: string, waits: boolean) => {
      if (waits) visitor.cookies.set('padlink_opening', '1');
      const answer = await visitor.fetch(path);
      await answer.body?.cancel();
      return { answer, cookies: answer.headers.getSetCookie() };
    };
    const begun = ['padlink_opening=; Path=/; Max-Age=0; SameSite=Lax'];
    expect((await seeing(`/p/${address}/content`, true)).cookies).toEqual([]);
    const { answer, cookies } = await seeing(`/p/${file}/content`, true);
    expect(cookies).toEqual([]);
    const download = answer.headers.get('location') ?? '';
    expect((await seeing(download, true)).cookies).toEqual(begun);
    expect((await seeing(download, false)).cookies).toEqual([]);
  });
});
