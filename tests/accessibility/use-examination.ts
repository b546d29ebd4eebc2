import type { Page } from 'playwright-core';
import { beforeAll } from 'vitest';
import { openPage } from '../harness/browser.ts';
import { useApp } from '../harness/use-app.ts';
import { openScene, type Scene } from '../states/scene.ts';
import type { State } from '../states/state.ts';
import { waitUntilSettled } from '../states/wait-until-settled.ts';
import { examine, type View } from './examine.ts';
import { findLayoutShifts } from './find-layout-shifts.ts';

const PHONE = { width: 375, height: 800 };
/** Of a page on which something moves, until the font was there in time. */
const MOST_VISITS = 5;
const DECODING_MS = 100;

/**
 * Looks at a state as a browser shows it that has the font: what a late one moves is measured by
 * first-font.long.test.ts. For the surrounding `describe`. Resolves to what is wrong.
 */
export function useExamination(views: readonly View[]): (state: State) => Promise<string[]> {
  const shop = useApp();
  const bare = useApp();
  let scene: Scene;

  beforeAll(async () => {
    scene = await openScene(shop, bare);
  });

  return async (state) => {
    const { path, person } = await state.visit(scene);
    const page = await openPage(shop, {
      ...(person && { as: person }),
      ...(state.expectedErrors && { expectedErrors: state.expectedErrors }),
      viewport: PHONE,
      context: { reducedMotion: 'reduce' },
    });
    await page.goto('/terms');
    let faults: string[];
    let visits = 0;
    do {
      // A page that begins a download may be left without its load event.
      await page.goto(path, { waitUntil: 'domcontentloaded' });
      await page.waitForFunction(() =>
        [...document.images].every(({ complete, loading }) => complete || loading === 'lazy'),
      );
      await waitUntilSettled(page);
      faults = await findLayoutShifts(page);
      visits += 1;
    } while (faults.length > 0 && visits < MOST_VISITS && (await isFontLate(page)));
    await state.arrange?.(page, scene);
    return [...faults, ...(await examine(page, views))];
  };
}

/** On a busy machine even a font from the cache may come, or be decoded, after the first paint. */
function isFontLate(page: Page): Promise<boolean> {
  return page.evaluate((decodingMs) => {
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    const loads = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const fonts = loads.filter(({ name }) => name.endsWith('.woff2'));
    return (
      paint !== undefined &&
      fonts.some(({ responseEnd }) => responseEnd + decodingMs > paint.startTime)
    );
  }, DECODING_MS);
}
