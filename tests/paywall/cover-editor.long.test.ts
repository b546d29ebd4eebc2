import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { createLink, signUp } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import type { Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { holdRequests } from '../screens/hold-requests.ts';

describe('the cover on the owner’s page', () => {
  const app = useApp();
  let creator: Person;
  let id: string;
  let picture: Buffer;

  beforeAll(async () => {
    creator = await signUp(app);
    ({ id } = await createLink(creator, { type: 'link', url: 'https://example.com/' }));
    const create = { width: 800, height: 450, channels: 3 as const, background: '#204060' };
    picture = await sharp({ create }).png().toBuffer();
  });

  const editor = (page: Page) => page.getByRole('region', { name: 'Cover', exact: true });
  const shown = (page: Page) => page.locator('article img');

  test('is chosen, shown at once, refused with a reason and taken away', async () => {
    const page = await openPage(app, {
      as: creator,
      expectedErrors: /422 \/p\/[0-9a-f]{8}\/cover/,
    });
    await page.goto(`/p/${id}`);
    const field = editor(page).getByLabel('Choose picture');
    const letThrough = await holdRequests(page, '**/cover');
    await field.setInputFiles({ name: 'cover.png', mimeType: 'image/png', buffer: picture });
    await editor(page).getByRole('progressbar', { name: 'Uploading the picture' }).waitFor();
    letThrough();
    await editor(page).getByText('Saved. Buyers now see the new cover.').waitFor();
    await shown(page).waitFor();
    const guest = await openPage(app);
    await guest.goto(`/p/${id}`);
    expect(await shown(guest).evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(800);
    const another = editor(page).getByLabel('Choose another picture');
    const text = { name: 'cover.png', mimeType: 'image/png', buffer: Buffer.from('no picture') };
    await another.setInputFiles(text);
    await editor(page).getByRole('alert').getByText('This file is not a picture.').waitFor();
    expect(await shown(page).count()).toBe(1);
    const large = join(mkdtempSync(join(tmpdir(), 'padlink-cover-')), 'large.png');
    writeFileSync(large, Buffer.alloc(10 * 1024 * 1024 + 1));
    await another.setInputFiles(large);
    await editor(page).getByRole('alert').getByText('larger than 10 MB').waitFor();
    await editor(page).getByRole('button', { name: 'Remove cover' }).click();
    await editor(page).getByText('Removed. Buyers now see your link’s own key instead.').waitFor();
    await shown(page).waitFor({ state: 'detached' });
  });

  test('moves nothing on a buyer’s phone when it arrives, and leaves the button in sight', async () => {
    const page = await openPage(app, { as: creator });
    await page.goto(`/p/${id}`);
    const field = editor(page).getByLabel('Choose picture');
    await field.setInputFiles({ name: 'cover.png', mimeType: 'image/png', buffer: picture });
    await shown(page).waitFor();
    const guest = await openPage(app, { viewport: { width: 375, height: 667 } });
    const letThrough = await holdRequests(guest, '**/covers/**');
    await guest.goto(`/p/${id}`, { waitUntil: 'domcontentloaded' });
    const button = guest.getByRole('button', { name: 'Unlock Now' });
    await button.boundingBox();
    // Asked for by the first layout; the word on the button is a little wider in it.
    await guest.evaluate(() => document.fonts.ready.then(() => {}));
    const before = await button.boundingBox();
    letThrough();
    await shown(guest).evaluate((image: HTMLImageElement) => image.decode());
    expect(await button.boundingBox()).toEqual(before);
    expect((before?.y ?? 600) + (before?.height ?? 0)).toBeLessThanOrEqual(600);
  });
});
