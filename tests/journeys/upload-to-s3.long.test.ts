import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { payFor } from '../factories/payment.ts';
import { openPage } from '../harness/browser.ts';
import { createPerson } from '../harness/person.ts';
import { createBucket, needS3, s3Settings } from '../harness/s3.ts';
import { type App, startApp } from '../harness/start-app.ts';
import { hashDownload, hashFile, sellOnPage, signUpOnPage, writeRandomFile } from './steps.ts';

const MEBIBYTE = 1024 ** 2;

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('the upload page', () => {
  needS3();
  let app: App;
  let store = '';

  beforeAll(async () => {
    const bucket = await createBucket();
    if (!bucket) return;
    store = bucket.endpoint;
    app = await startApp({ env: s3Settings(bucket) });
  });
  afterAll(() => app?.stop());

  test.each(['never', 'once', 'always'] as const)(
    'sends a file straight to S3, where that %s fails',
    async (fails) => {
      const page = await openPage(app, {
        expectedErrors: /(Access to XMLHttpRequest|net::ERR_FAILED).*/,
      });
      await signUpOnPage(page, app);
      const sent: string[] = [];
      page.on('request', (request) => {
        const isToStore = request.url().startsWith(store);
        if (isToStore || request.method() === 'PATCH') sent.push(isToStore ? 'part' : 'patch');
      });
      let asked = 0;
      const bothAsked = Promise.withResolvers<void>();
      // Before anything arrived, a store that fails counts as one that cannot be reached.
      const arrived = page.waitForResponse((response) => response.url().startsWith(store));
      arrived.catch(() => {});
      // Without it, the browser itself asks the store whether it may.
      if (fails !== 'never') {
        await page.route(`${store}/**`, async (route) => {
          asked += 1;
          if (asked === 2) bothAsked.resolve();
          const isSecond = fails === 'once' && asked === 2;
          if (isSecond) await (await arrived).finished();
          // The first to fail ends the upload: the other must have begun.
          if (fails === 'always') await bothAsked.promise;
          await (fails === 'always' || isSecond ? route.abort() : route.continue());
        });
      }
      const file = join(app.dataDir, 'to-s3.bin');
      await writeRandomFile(file, 6 * MEBIBYTE);
      const address = await sellOnPage(page, file, '5');
      const parts = { never: 2, once: 3, always: 2 }[fails];
      expect(sent.filter((kind) => kind === 'part')).toHaveLength(parts);
      expect(sent.includes('patch')).toBe(fails === 'always');
      if (fails === 'never') {
        const buyer = createPerson(app);
        await payFor(buyer, address.slice('/p/'.length));
        const visitor = await openPage(app, { as: buyer });
        await visitor.goto(address);
        const downloading = visitor.waitForEvent('download');
        await visitor.getByRole('button', { name: 'Download', exact: true }).click();
        const download = await downloading;
        expect(download.url().startsWith(store)).toBe(true);
        expect(download.suggestedFilename()).toBe('to-s3.bin');
        expect(await hashDownload(download)).toBe(await hashFile(file));
      }
      const content = await page.request.get(`${address}/content`);
      expect(content.url().startsWith(store)).toBe(true);
      expect(sha256(await content.body())).toBe(await hashFile(file));
    },
  );
});
