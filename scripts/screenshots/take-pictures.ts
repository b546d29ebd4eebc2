import type { Browser } from 'playwright-core';
import type { Scene } from '../../tests/states/scene.ts';
import type { State } from '../../tests/states/state.ts';
import { waitUntilSettled } from '../../tests/states/wait-until-settled.ts';
import type { Picture } from './join-pictures.ts';

/** A state is brought about on the phone, where some of it is that is not where there is room. */
const VIEWS = [375, 1280].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);

/** Brings a state about once and takes its four pictures, each the whole page. */
export async function takePictures(
  browser: Browser,
  scene: Scene,
  state: State,
  folder: string,
): Promise<Picture[]> {
  const { path, person } = await state.visit(scene);
  const context = await browser.newContext({
    baseURL: scene.origin,
    viewport: { width: 375, height: 800 },
    reducedMotion: 'reduce',
    // What a state holds back would go past the page through it.
    serviceWorkers: 'block',
  });
  try {
    const cookies = [...(person?.cookies ?? [])];
    const url = person?.origin ?? scene.origin;
    await context.addCookies(cookies.map(([name, value]) => ({ name, value, url })));
    const page = await context.newPage();
    // A font that comes late is used from the second page on.
    await page.goto('/terms');
    await page.goto(path);
    await waitUntilSettled(page);
    await state.arrange?.(page, scene);
    const pictures: Picture[] = [];
    for (const { width, colorScheme } of VIEWS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      const file = `${folder}/${state.name}-${width}-${colorScheme}.png`;
      pictures.push({ file, png: await page.screenshot({ path: file, fullPage: true }) });
    }
    return pictures;
  } finally {
    await context.close();
  }
}
