import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { graphql, signUp } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import { eventually } from '../harness/eventually.ts';
import type { Person } from '../harness/person.ts';
import { createChosenFolder } from '../harness/run-folder.ts';
import { type SpawnedApp, spawnApp } from '../harness/spawn-app.ts';
import { writeRandomFile } from '../journeys/steps.ts';
import { startNetworkProxy } from './network-proxy.ts';

const MiB = 1024 * 1024;
/** Of three files together: PADLINK_UPLOAD_MIB=300 sends more. */
const TOTAL_BYTES = Number(process.env.PADLINK_UPLOAD_MIB ?? 12) * MiB;
const NAMES = ['one.bin', 'two.bin', 'three.bin'];
/**
 * What the browser writes of a line that is cut. A canceled upload may have been finished (403), and
 * is gone (404) where only the answer to its deletion was lost, which is then asked for again.
 */
const LOST =
  /net::ERR_(ABORTED|CONNECTION_\w+|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED|FAILED) \/\S+|40[34] \/uploads\/[0-9a-f]{32}|WebSocket .*/;
const network = await startNetworkProxy();
afterAll(network.stop);
afterEach(network.mend);

describe('three files of one link', () => {
  let app: SpawnedApp;
  let creator: Person;
  const folder = createChosenFolder();

  beforeAll(async () => {
    app = await spawnApp({
      env: { ...network.env, ACCOUNT_QUOTA_BYTES: String(8 * TOTAL_BYTES) },
    });
    network.forwardTo(app.port);
    creator = await signUp(app);
    for (const name of NAMES) await writeRandomFile(join(folder, name), TOTAL_BYTES / 3);
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await app?.stop();
  });

  const paths = () => NAMES.map((name) => join(folder, name));
  const press = (page: Page, name: string) =>
    page.getByRole('button', { name, exact: true }).click();

  async function beginUpload(): Promise<Page> {
    const page = await openPage(app, { as: creator, expectedErrors: LOST });
    await page.goto('/upload');
    await fillInAndBegin(page);
    return page;
  }

  async function fillInAndBegin(page: Page): Promise<void> {
    await page.getByLabel('Choose File').setInputFiles(paths());
    await page.getByLabel('Price (USD)').fill('12.34');
    await press(page, 'Upload');
  }

  /** Bytes of files that are on the disk. */
  function storedBytes(): number {
    const blobs = join(app.dataDir, 'blobs');
    const sizes = readdirSync(blobs, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /^[0-9a-f]{32}$/.test(entry.name))
      .map(({ parentPath, name }) => statSync(join(parentPath, name)).size);
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

  /** Waits for the link, and compares what it delivers with what was chosen. */
  async function expectDelivery(page: Page): Promise<void> {
    await page.getByText('Upload successful. Paywall link created.').waitFor();
    // What shares it may have been asked for while the network was cut: then its address stands alone.
    const field = page.getByLabel('Your paywall link:');
    const alone = page.getByRole('link', { name: /\/p\/[0-9a-f]{8}$/ });
    await field.or(alone).first().waitFor();
    const isAlone = (await field.count()) === 0;
    const address = isAlone ? await alone.textContent() : await field.inputValue();
    const id = address?.slice(-8);
    const { getPaywallLink: link } = await graphql<{
      getPaywallLink: { key: string; files: { key: string }[] };
    }>(creator, 'query ($id: ID!) { getPaywallLink(id: $id) { key files { key } } }', { id });
    expect(link.files.map(({ key }) => key)).toEqual(NAMES.map((name) => `public/${id}-${name}`));
    for (const [index, path] of paths().entries()) {
      // What came through two processes is hashed once more before it is sold.
      const location = await eventually(async () => {
        const { headers } = await creator.fetch(`/p/${id}/content?file=${index}`);
        return headers.get('location') ?? Promise.reject(new Error('Not checked yet.'));
      });
      const file = await creator.fetch(location);
      expect(hash(await file.bytes())).toBe(hash(readFileSync(path)));
    }
  }

  test('arrive whole though the network is cut twice, and the server killed between', async () => {
    const before = storedBytes();
    network.cutAfter(TOTAL_BYTES * 0.2);
    const page = await beginUpload();
    const trouble = page.getByText('The upload was interrupted. Trying again...');
    await trouble.waitFor();
    network.mend();
    await network.holdAfter(TOTAL_BYTES * 0.3);
    await app.kill();
    network.cut();
    const rest = TOTAL_BYTES - (storedBytes() - before);
    await app.start();
    network.mend();
    // What comes now is the rest: all of it but the last half per cent.
    network.cutAfter(rest - TOTAL_BYTES / 200);
    await eventually(() => expect((storedBytes() - before) / TOTAL_BYTES).toBeGreaterThan(0.99));
    await trouble.waitFor();
    expect(storedBytes() - before).toBeLessThan(TOTAL_BYTES);
    network.mend();
    await expectDelivery(page);
  });

  test('go on where they were after a cancel, a reload and the same choice once more', async () => {
    const held = network.holdAfter(TOTAL_BYTES / 2);
    const page = await beginUpload();
    await held;
    await press(page, 'Cancel');
    await page.getByRole('progressbar').waitFor({ state: 'detached' });
    network.mend();
    const heldAgain = network.holdAfter(TOTAL_BYTES / 2);
    await press(page, 'Upload');
    await heldAgain;
    page.on('dialog', (dialog) => dialog.accept());
    await page.reload();
    network.mend();
    const sent = network.sentBytes();
    await page.getByText('Your upload was interrupted.').waitFor();
    for (const name of NAMES) await page.getByText(name, { exact: true }).waitFor();
    expect(await page.getByLabel('Price (USD)').inputValue()).toBe('12.34');
    await press(page, 'Upload');
    await page.getByText(/^Choose [23] files again, or remove what is missing\.$/).waitFor();
    await page.getByLabel('Choose again').setInputFiles(paths());
    await press(page, 'Upload');
    await expectDelivery(page);
    expect(network.sentBytes() - sent).toBeLessThan(TOTAL_BYTES * 0.75);
  });

  test('are deleted by a new start, and take no room any more', async () => {
    const readRoom = async () =>
      /"room":\{[^}]+/.exec(await (await creator.fetch('/upload')).text())?.[0];
    const room = await readRoom();
    // More than two files: the third has been announced, and its address has arrived. What is
    // announced during a reload is known to nobody.
    const held = network.holdAfter(TOTAL_BYTES * 0.9);
    const page = await openPage(app, { as: creator, expectedErrors: LOST });
    await page.goto('/upload');
    await fillInAndBegin(page);
    await held;
    page.on('dialog', (dialog) => dialog.accept());
    await page.reload();
    network.mend();
    expect(await readRoom()).not.toBe(room);
    await press(page, 'Start over');
    await page.getByLabel('Choose File').waitFor();
    await eventually(async () => expect(await readRoom()).toBe(room));
    await page.reload();
    expect(await page.getByText('Your upload was interrupted.').count()).toBe(0);
  });
});
