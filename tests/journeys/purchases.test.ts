import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  createLink,
  sellFile,
  signUp,
  uploadFile,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { openPage } from '../harness/browser.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { hashDownload } from './steps.ts';

describe('who is signed in and bought something', () => {
  const app = useApp();
  let buyer: Person;
  let file: { id: string; bytes: Uint8Array };
  let several: { id: string };

  beforeAll(async () => {
    const seller = await signUp(app);
    buyer = await signUp(app);
    file = await sellFile(seller);
    const keys = [];
    for (const name of ['one.pdf', 'two.pdf']) {
      keys.push((await uploadFile(seller, { name, bytes: new Uint8Array([1, 2]) })).key);
    }
    several = await createLink(seller, { key: keys[0], files: keys, price: 500, title: 'Both' });
    const url = `${app.origin}/terms`;
    const address = await createLink(seller, { type: 'link', url, price: 500, title: 'A page' });
    for (const { id } of [file, several, address]) {
      await payFor(buyer, id);
      await waitUntilUnlocked(buyer, id);
    }
  });

  test.each([true, false])('is back at it by two clicks (JavaScript: %s)', async (javaScript) => {
    const page = await openPage(app, { as: buyer, javaScript });
    const open = async (name: string | RegExp) => {
      await page.goto('/dashboard');
      await page.getByRole('link', { name: 'Purchases', exact: true }).click();
      await page.getByRole('link', { name }).click();
    };
    const started = page.waitForEvent('download');
    await open(/^Download /);
    const hash = createHash('sha256').update(file.bytes).digest('hex');
    expect(await hashDownload(await started)).toBe(hash);
    await open('Open Both');
    await page.waitForURL(`/p/${several.id}`);
    await open('Open A page');
    await page.waitForURL('/terms');
  });

  test('is back at it by two clicks on a phone, without an account', async () => {
    const guest = createPerson(app);
    await payFor(guest, file.id);
    await waitUntilUnlocked(guest, file.id);
    const page = await openPage(app, { as: guest, viewport: { width: 320, height: 640 } });
    await page.goto('/');
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(320);
    await page.getByRole('link', { name: 'Purchases', exact: true }).click();
    const started = page.waitForEvent('download');
    await page.getByRole('link', { name: /^Download / }).click();
    expect((await started).suggestedFilename()).toMatch(/\./);
  });
});
