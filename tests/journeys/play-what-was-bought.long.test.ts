import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLink, signUp, uploadFile, waitUntilUnlocked } from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { wav } from '../factories/wav.ts';
import { openPage } from '../harness/browser.ts';
import { createPerson } from '../harness/person.ts';
import { createBucket, needS3, s3Settings } from '../harness/s3.ts';
import { type App, startApp } from '../harness/start-app.ts';
import { useApp } from '../harness/use-app.ts';
import { waitUntilAlive } from './steps.ts';

describe('sound that was bought', () => {
  const app = useApp();

  test('is played in the page, one piece after the other, from where it was stopped', async () => {
    const page = await openBought(app);
    await waitUntilAlive(page);
    await page.getByRole('link', { name: 'Play one.wav' }).click();
    const one = page.locator('audio').first();
    await expectPlaying(page, 'one');
    await one.evaluate((media: HTMLAudioElement) => {
      media.currentTime = 20;
      media.pause();
    });
    await page.waitForFunction(() => Object.values(localStorage).includes('20'));

    await page.reload();
    await waitUntilAlive(page);
    await page.getByRole('link', { name: 'Play one.wav' }).click();
    await expectPlaying(page, 'one');
    expect(await one.evaluate(placeOf)).toBeGreaterThanOrEqual(20);
    await page.getByRole('link', { name: 'Play two.wav' }).click();
    await expectPlaying(page, 'two');
    expect(await one.evaluate((media: HTMLAudioElement) => media.paused)).toBe(true);
    await page.locator('audio').nth(1).evaluate(playEnd);
    await expectPlaying(page, 'three');
    // One that has its player goes on in it.
    await one.evaluate(playEnd);
    await one.evaluate((media: HTMLAudioElement) => media.play());
    await expectPlaying(page, 'two');
    expect(await page.locator('audio').count()).toBe(3);
    // What was heard to its end begins anew.
    await page.reload();
    await waitUntilAlive(page);
    await page.getByRole('link', { name: 'Play two.wav' }).click();
    await expectPlaying(page, 'two');
    expect(await page.locator('audio').evaluate(placeOf)).toBeLessThan(20);
  });

  test('opens without the page’s player where this browser cannot play it', async () => {
    const bytes = wav(1);
    // A format that nobody knows.
    bytes.writeUInt16LE(0x1234, 20);
    const page = await openBought(app, { album: [{ name: 'strange.wav', bytes }] });
    await waitUntilAlive(page);
    await page.getByRole('link', { name: 'Play strange.wav' }).click();
    await page.waitForURL(/\/download\/.*strange\.wav/);
  });

  test('opens in the browser’s own player without JavaScript', async () => {
    const page = await openBought(app, { javaScript: false });
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'Play one.wav' }).click();
    await (await opened).waitForURL(/\/download\/.*one\.wav/);
  });
});

describe('sound in S3', () => {
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

  test('is played in the page as well', async () => {
    const page = await openBought(app);
    await waitUntilAlive(page);
    const sent = page.waitForResponse((response) => response.url().startsWith(store));
    await page.getByRole('link', { name: 'Play one.wav' }).click();
    await sent;
    await expectPlaying(page, 'one');
  });
});

/** The page of an album that a new buyer has paid for. */
async function openBought(
  app: App,
  { album = ALBUM, ...options }: { album?: typeof ALBUM; javaScript?: boolean } = {},
): Promise<Page> {
  const id = await sellAlbum(app, album);
  const buyer = createPerson(app);
  await payFor(buyer, id);
  await waitUntilUnlocked(buyer, id);
  const page = await openPage(app, { as: buyer, ...options });
  await page.goto(`/p/${id}`);
  return page;
}

const ALBUM = ['one.wav', 'two.wav', 'three.wav'].map((name) => ({ name, bytes: wav(40) }));

async function sellAlbum(app: Pick<App, 'origin'>, album: typeof ALBUM): Promise<string> {
  const seller = await signUp(app);
  const keys: string[] = [];
  let id: string | undefined;
  for (const file of album) {
    const { key } = await uploadFile(seller, { ...file, type: 'audio/wav', ...(id && { id }) });
    id = /([0-9a-f]{8})/.exec(key)?.[1];
    keys.push(key);
  }
  return (await createLink(seller, { key: keys[0], files: keys })).id;
}

const placeOf = (media: HTMLAudioElement) => media.currentTime;

function playEnd(media: HTMLAudioElement): void {
  media.currentTime = media.duration - 0.2;
}

/** Waits until only this one is heard. */
async function expectPlaying(page: Page, name: string): Promise<void> {
  await page.waitForFunction((name) => {
    const heard = [...document.querySelectorAll('audio')].filter(
      ({ paused, currentTime }) => !paused && currentTime > 0,
    );
    return heard.length === 1 && heard[0]?.ariaLabel === `${name}.wav`;
  }, name);
}
