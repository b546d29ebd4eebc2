import { appendFileSync, statfsSync, truncateSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { signIn, signUp, uploadFile } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import { eventually } from '../harness/eventually.ts';
import { createChosenFolder } from '../harness/run-folder.ts';
import { useApp } from '../harness/use-app.ts';
import { writeRandomFile } from '../journeys/steps.ts';
import { startNetworkProxy } from './network-proxy.ts';
import { takeTableAway } from './take-table-away.ts';

const MiB = 1024 * 1024;
const FILE_BYTES = 24 * MiB;
/** What the browser writes of a connection that was cut, or is not there. */
const LOST =
  /net::ERR_(CONNECTION_\w+|EMPTY_RESPONSE|INTERNET_DISCONNECTED|SOCKET_NOT_CONNECTED) \/uploads\/[0-9a-f]{32}/;
/** And of a file that is not what was chosen any more. */
const CHANGED = /net::ERR_(UPLOAD_FILE_CHANGED|FILE_NOT_FOUND) \/uploads\/[0-9a-f]{32}/;
const network = await startNetworkProxy();
afterAll(network.stop);
afterEach(network.mend);

describe('an upload that fails', () => {
  const bounds = { MAX_FILE_BYTES: String(2 ** 52), ACCOUNT_QUOTA_BYTES: String(2 ** 52) };
  const app = useApp({ env: { ...network.env, ...bounds } });
  let creator: Awaited<ReturnType<typeof signUp>>;

  beforeAll(async () => {
    network.forwardTo(app.port);
    creator = await signUp(app);
  });

  const folder = createChosenFolder();

  /** The upload page, filled in, and pressed. */
  async function beginUpload(
    name: string,
    {
      as = creator,
      bytes = FILE_BYTES,
      ...expected
    }: { as?: typeof creator; bytes?: number; expectedErrors?: RegExp } = {},
  ) {
    const file = join(folder, name);
    await writeRandomFile(file, Math.min(bytes, FILE_BYTES));
    // The rest of a larger one is a hole that takes no room.
    truncateSync(file, bytes);
    const page = await openPage(app, { as, ...expected });
    await page.goto('/upload');
    await page.getByLabel('Choose File').setInputFiles(file);
    await page.getByLabel('Title (optional)').fill('My Notes');
    await page.getByLabel('Price (USD)').fill('12.34');
    return { page, file };
  }

  const upload = (page: Page) => page.getByRole('button', { name: 'Upload', exact: true }).click();
  const succeed = (page: Page) =>
    page.getByText('Upload successful. Paywall link created.').waitFor();

  async function expectFailure(page: Page, reason: RegExp): Promise<void> {
    await page.getByRole('alert').getByText('Failed to upload.', { exact: true }).waitFor();
    await page.getByText(reason).waitFor();
    expect(await page.getByLabel('Price (USD)').inputValue()).toBe('12.34');
    expect(await page.getByLabel('Title (optional)').inputValue()).toBe('My Notes');
  }

  /** Lets the time between the tries pass. */
  const giveUp = (page: Page) =>
    eventually(async () => {
      await page.clock.fastForward(20_000);
      expect(await page.getByText('Failed to upload.').count()).toBe(1);
    });

  test('midway says so, and goes on where it was by itself once the network is back', {
    tags: 'long',
  }, async () => {
    const { page } = await beginUpload('interrupted.bin', { expectedErrors: LOST });
    network.cutAfter(8 * MiB);
    await upload(page);
    await page.getByText('The upload was interrupted. Trying again...').waitFor();
    const sent = network.sentBytes();
    network.mend();
    await succeed(page);
    expect(network.sentBytes() - sent).toBeLessThan(FILE_BYTES - 4 * MiB);
  });

  test('for good is said to have failed, and pressing Upload again sends only the rest', {
    tags: 'long',
  }, async () => {
    const { page } = await beginUpload('cut.bin', { expectedErrors: LOST });
    await page.clock.install();
    network.cutAfter(8 * MiB);
    await upload(page);
    await giveUp(page);
    await expectFailure(page, /The server could not be reached/);
    const sent = network.sentBytes();
    network.mend();
    await upload(page);
    await succeed(page);
    expect(network.sentBytes() - sent).toBeLessThan(FILE_BYTES - 4 * MiB);
  });

  test('because the browser is offline says so, and goes on once it is back', {
    tags: 'long',
  }, async () => {
    const { page } = await beginUpload('offline.bin', { expectedErrors: LOST });
    const held = network.holdAfter(8 * MiB);
    await upload(page);
    await held;
    await page.context().setOffline(true);
    await page
      .getByText('You are offline. The upload continues when you are back online.')
      .waitFor();
    network.mend();
    await page.context().setOffline(false);
    await succeed(page);
  });

  test('because the server is out of order goes on when it is back, or says that it failed', {
    tags: 'long',
  }, async () => {
    const { page } = await beginUpload('disorder.bin', { expectedErrors: /500 \/uploads/ });
    await page.clock.install();
    const bringBack = await takeTableAway(app, 'file');
    await upload(page);
    await page.getByText('The upload was interrupted. Trying again...').waitFor();
    await giveUp(page);
    await expectFailure(page, /Something went wrong on our side/);
    await bringBack();
    await upload(page);
    await succeed(page);
  });

  /** Of the first request that brings bytes. */
  async function spoilFirst(page: Page, spoil: (route: Route) => Promise<void>) {
    const spoilt = Promise.withResolvers<void>();
    let isSpoilt = false;
    await page.route('/uploads/*', (route) => {
      if (isSpoilt || route.request().method() !== 'PATCH') return route.continue();
      isSpoilt = true;
      spoilt.resolve();
      return spoil(route);
    });
    return () => spoilt.promise;
  }

  test('because a proxy waited too long for its bytes goes on by itself', async () => {
    const { page } = await beginUpload('slow.bin', {
      bytes: MiB,
      expectedErrors: /408 \/uploads\/\w+/,
    });
    const body = '<h1>Request Timeout</h1>';
    await spoilFirst(page, (route) => route.fulfill({ status: 408, body }));
    await upload(page);
    await succeed(page);
  });

  test('in a browser that takes itself for offline goes on by itself after a while', async () => {
    const { page } = await beginUpload('wrong.bin', {
      bytes: MiB,
      expectedErrors: /net::ERR_FAILED \/uploads\/\w+/,
    });
    await page.clock.install();
    await page.evaluate(() => Object.defineProperty(navigator, 'onLine', { get: () => false }));
    const spoilt = await spoilFirst(page, (route) => route.abort());
    await upload(page);
    await spoilt();
    await eventually(async () => {
      await page.clock.fastForward(10_000);
      expect(await page.getByText('Upload successful. Paywall link created.').count()).toBe(1);
    });
  });

  test('is avoided where a proxy takes no more than 100 MB in one request', async () => {
    const { page } = await beginUpload('large.bin', { bytes: 70 * MiB });
    const offsets: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') offsets.push(request.headers()['upload-offset']);
    });
    await upload(page);
    await succeed(page);
    expect(offsets).toEqual(['0', String(64 * MiB)]);
  });

  test('because the server has no room is said at once, with the reason', {
    tags: 'long',
  }, async () => {
    const { bavail, bsize } = statfsSync(app.dataDir);
    const { page, file } = await beginUpload('endless.bin', {
      expectedErrors: /507 \/uploads/,
      bytes: bavail * bsize,
    });
    await upload(page);
    await expectFailure(page, /not have enough space for a file of this size/);
    expect(await page.getByText('endless.bin').count()).toBe(1);
    unlinkSync(file);
  });

  test.each([
    ['changed', (file: string) => appendFileSync(file, 'more')],
    ['removed', (file: string) => unlinkSync(file)],
  ])(
    'because the file was %s meanwhile sells nothing and says so',
    { tags: 'long' },
    async (what, spoil) => {
      const { page, file } = await beginUpload(`${what}.bin`, { expectedErrors: CHANGED });
      const held = network.holdAfter(8 * MiB);
      await upload(page);
      await held;
      spoil(file);
      network.mend();
      await expectFailure(page, /The file was changed or removed/);
      await writeRandomFile(file, MiB);
      const choosing = page.waitForEvent('filechooser');
      await page.getByLabel('Choose File').click();
      await (await choosing).setFiles(file);
      await upload(page);
      await succeed(page);
    },
  );

  test('because the session ended midway goes on without sending the bytes again', {
    tags: 'long',
  }, async () => {
    const person = await signUp(app);
    const { page } = await beginUpload('signed-out.bin', { as: person });
    const held = network.holdAfter(8 * MiB);
    await upload(page);
    await held;
    await person.fetch('/api/auth/sign-out', { method: 'POST' });
    network.mend();
    await page.getByRole('alert').getByText('User not authenticated.', { exact: true }).waitFor();
    const sent = network.sentBytes();
    await signIn(person, person.email);
    const cookies = [...person.cookies].map(([name, value]) => ({ name, value, url: app.origin }));
    await page.context().addCookies(cookies);
    await upload(page);
    await succeed(page);
    expect(network.sentBytes() - sent).toBeLessThan(MiB);
  });

  test('at the very last step does not send the bytes again, even once something else is sold', async () => {
    const { page, file } = await beginUpload('last-step.bin');
    const bringBack = await takeTableAway(app, 'link_file');
    await upload(page);
    await expectFailure(page, /Something went wrong on our side/);
    const sent = network.sentBytes();
    await bringBack();
    await page.getByRole('button', { name: 'or sell a web address' }).click();
    await page.getByLabel('Web address').fill('https://example.com/course');
    await upload(page);
    await succeed(page);
    await page.getByRole('button', { name: 'Upload another file' }).click();
    await page.getByRole('button', { name: 'or upload a file' }).click();
    await page.getByLabel('Choose File').setInputFiles(file);
    await upload(page);
    await succeed(page);
    expect(network.sentBytes() - sent).toBeLessThan(MiB);
  });

  test('only because its last answer was lost finds the link that it made', async () => {
    const person = await signUp(app);
    const { page } = await beginUpload('lost-answer.bin', {
      expectedErrors: /net::ERR_(FAILED|INTERNET_DISCONNECTED) \/graphql/,
      as: person,
      bytes: MiB,
    });
    let isLost = false;
    // Not with `times: 1`: what is asked next would sometimes be left without any answer.
    await page.route('**/graphql', async (route) => {
      if (isLost) return route.continue();
      isLost = true;
      await route.fetch();
      await page.context().setOffline(true);
      await route.abort();
    });
    await upload(page);
    await page.getByText('You are offline. The upload continues').waitFor();
    await page.context().setOffline(false);
    await succeed(page);
    await page.goto('/dashboard');
    expect(await page.getByText('$12.34').count()).toBe(1);
  });
});

describe('an upload beyond the quota of its account', () => {
  const KiB = 1024;
  const app = useApp({ env: { ACCOUNT_QUOTA_BYTES: String(20 * KiB) } });

  const choose = (page: Page, name: string, bytes: number) =>
    page
      .getByLabel('Choose File')
      .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.alloc(bytes, name) });
  const button = (page: Page) => page.getByRole('button', { name: 'Upload', exact: true });

  /** The upload page with a title and a price, and what it asks of uploads: "POST /uploads". */
  async function openForm(
    as: Awaited<ReturnType<typeof signUp>>,
    expected: { expectedErrors?: RegExp } = {},
  ) {
    const page = await openPage(app, { as, ...expected });
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/uploads')) asked.push(`${request.method()} ${pathname}`);
    });
    await page.goto('/upload');
    await page.getByLabel('Title (optional)').fill('My Notes');
    await page.getByLabel('Price (USD)').fill('12.34');
    return { page, asked };
  }

  test('is refused in clear words, and a smaller file is sold for what was typed', async () => {
    const person = await signUp(app);
    await uploadFile(person, { name: 'sold.bin', bytes: Buffer.alloc(12 * KiB) });
    const { page, asked } = await openForm(person, { expectedErrors: /403 \/uploads/ });
    const expectRefusal = async () => {
      await button(page).click();
      await page.getByRole('alert').getByText('Failed to upload.', { exact: true }).waitFor();
      await page
        .getByText(
          'Your files, including unfinished uploads, use 12.3 kB of your account’s 20.5 kB, and this one is 10.2 kB. Delete files that you no longer sell, or ask the operator of this site for more space.',
          { exact: true },
        )
        .waitFor();
    };
    const expectNothingSaid = async () => {
      expect(await page.getByText(/Failed to upload|Your files, including/).count()).toBe(0);
    };
    await choose(page, 'large.txt', 10 * KiB);
    await expectRefusal();
    await page.getByRole('button', { name: 'or sell a web address' }).click();
    await page.getByLabel('Web address').waitFor();
    await expectNothingSaid();
    await page.getByRole('button', { name: 'or upload a file' }).click();
    await expectRefusal();
    await choose(page, 'small.txt', 8 * KiB);
    await page.getByText('small.txt', { exact: true }).waitFor();
    await expectNothingSaid();
    expect(await page.getByLabel('Title (optional)').inputValue()).toBe('My Notes');
    await button(page).dblclick();
    await page.getByText('Upload successful. Paywall link created.').waitFor();
    expect(asked.filter((request) => request === 'POST /uploads')).toHaveLength(3);
    await page.goto('/dashboard');
    await page.getByText('My Notes', { exact: true }).waitFor();
    expect(await page.getByText('$12.34').count()).toBe(1);
  });

  test('is none after a first one was canceled, of which nothing is said any more', async () => {
    const { page, asked } = await openForm(await signUp(app), {
      expectedErrors: /(503|404) \/uploads\/[0-9a-f]{32}/,
    });
    const { promise: isBegun, resolve: begin } = Promise.withResolvers<void>();
    const interrupted = page.getByText('The upload was interrupted. Trying again...');
    const saidMeanwhile: number[] = [];
    await page.route('**/uploads/*', async (route) => {
      const method = route.request().method();
      const isSecond = asked.filter((request) => request === 'POST /uploads').length === 2;
      // The bytes of the first one get nowhere.
      if (method === 'PATCH' && isSecond) return route.continue();
      if (method !== 'DELETE') return;
      if (asked.filter((request) => request.startsWith('DELETE')).length === 1) {
        await isBegun;
        // It is gone, and only the answer does not say so: the next one is 404.
        await route.fetch();
        return route.fulfill({ status: 503 });
      }
      saidMeanwhile.push(await interrupted.count());
      await route.continue();
    });
    await choose(page, 'first.txt', 12 * KiB);
    const choosing = page.waitForEvent('filechooser');
    await page.getByLabel('Choose File').click();
    const chooser = await choosing;
    await button(page).click();
    await page.getByRole('progressbar').waitFor();
    await eventually(async () => expect(asked).toHaveLength(2));
    await chooser.setFiles({ name: 'late.txt', mimeType: 'text/plain', buffer: Buffer.from('x') });
    expect(await page.getByText('late.txt').count()).toBe(0);
    await page.getByRole('button', { name: 'Cancel' }).click();
    // One that is canceled while it waits for the first leaves the next one waiting as well.
    await choose(page, 'waiting.txt', 10 * KiB);
    await button(page).click();
    await page.getByRole('progressbar').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await choose(page, 'second.txt', 10 * KiB);
    await button(page).click();
    await page.getByRole('progressbar').waitFor();
    begin();
    await page.getByText(/Upload successful|Failed to upload/).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(saidMeanwhile).toEqual([0]);
    expect(asked.filter((request) => request.startsWith('HEAD'))).toEqual([]);
  });

  test('is none while a first one that was canceled cannot be deleted, and begins anew', async () => {
    const { page, asked } = await openForm(await signUp(app));
    await page.clock.install();
    await page.route('**/uploads/*', async (route) => {
      const begun = asked.filter((request) => request === 'POST /uploads');
      if (begun.length === 2) await route.continue();
    });
    await choose(page, 'notes.txt', 10 * KiB);
    await button(page).click();
    await page.getByRole('progressbar').waitFor();
    await eventually(async () => expect(asked).toHaveLength(2));
    await page.getByRole('button', { name: 'Cancel' }).click();
    await button(page).click();
    await page.getByRole('progressbar').waitFor();
    await page.clock.fastForward(10_000);
    await page.getByText('Upload successful. Paywall link created.').waitFor();
    const methods = asked.map((request) => request.split(' ')[0]);
    expect(methods).toEqual(['POST', 'PATCH', 'DELETE', 'POST', 'PATCH']);
  });
});
