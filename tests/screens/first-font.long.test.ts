import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { findLayoutShifts } from '../accessibility/find-layout-shifts.ts';
import { createLink, sellFile, signUp } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import { createPerson, postJson, readJson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { waitUntilSettled } from '../states/wait-until-settled.ts';

/** Of layout shifts in all: what counts as good. A line that then ends elsewhere may come to it. */
const GOOD = 0.1;

const sumUp = (shifts: string[]) =>
  shifts.reduce((sum, shift) => sum + Number.parseFloat(shift), 0);

/** Names of the fonts that the text in the element is set in. */
async function readFonts(page: Page, selector: string): Promise<string[]> {
  const tools = await page.context().newCDPSession(page);
  await tools.send('DOM.enable');
  await tools.send('CSS.enable');
  const { root } = await tools.send('DOM.getDocument');
  const { nodeId } = await tools.send('DOM.querySelector', { nodeId: root.nodeId, selector });
  const { fonts } = await tools.send('CSS.getPlatformFontsForNode', { nodeId });
  return fonts.map(({ familyName }) => familyName);
}

describe('the font, on a first visit', () => {
  const app = useApp();
  const paths = ['/', '/explore', '/login', '/terms', '/success'];
  let paywall = '';

  beforeAll(async () => {
    const seller = await signUp(app);
    const { id } = await sellFile(seller, { price: 499 });
    paywall = `/p/${id}`;
    paths.push(paywall);
    for (const title of ['Lecture notes of the first week', 'Sheet music for two guitars']) {
      await createLink(seller, { type: 'link', url: 'https://example.com/', title, price: 300 });
    }
  });

  test.each([1280, 375])(
    'moves no more than what counts as good when it comes late, on a page %i wide',
    async (width) => {
      for (const path of paths) {
        const page = await openPage(app, {
          wholeBrowser: true,
          viewport: { width, height: 800 },
          context: { reducedMotion: 'reduce' },
        });
        const late = Promise.withResolvers<void>();
        await page.route('**/*.woff2', async (route) => {
          await late.promise;
          await route.continue();
        });
        await page.goto(path, { waitUntil: 'domcontentloaded' });
        await page.waitForFunction(
          () => performance.getEntriesByName('first-contentful-paint').length > 0,
        );
        late.resolve();
        await waitUntilSettled(page);
        expect(await readFonts(page, 'h1'), path).toEqual(['Instrument Sans']);
        const shifts = await findLayoutShifts(page);
        expect(sumUp(shifts), `${path} ${shifts.join(' ')}`).toBeLessThan(GOOD);
      }
    },
  );

  test('is that of the sandbox’s checkout', async () => {
    const begun = await postJson(createPerson(app), '/prod/checkout', {
      paywallId: paywall.slice(3),
    });
    const page = await openPage(app);
    await page.goto((await readJson<{ url: string }>(begun)).url);
    expect(await readFonts(page, 'h1')).toEqual(['Instrument Sans']);
  });
});
