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
/** Of a page on which something moves, until the font was ready in time. */
const MOST_VISITS = 5;

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
    await page.addInitScript(noteFonts);
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

declare global {
  /** When the last fonts were ready, in milliseconds since the page was navigated to. */
  var fontsReadyAt: number | undefined;
}

function noteFonts(): void {
  document.fonts.onloadingdone = () => {
    globalThis.fontsReadyAt = performance.now();
  };
}

/** On a busy machine even a font from the cache may be ready after the first paint. */
function isFontLate(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    return paint !== undefined && !(Number(globalThis.fontsReadyAt) <= paint.startTime);
  });
}
