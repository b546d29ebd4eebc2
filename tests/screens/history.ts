import type { Page } from 'playwright-core';

/** Notes for every document that is shown whether it came from the back-forward cache. */
export async function watchRestores(page: Page): Promise<boolean[]> {
  const restored: boolean[] = [];
  await page.exposeFunction('noteShown', (persisted: boolean) => restored.push(persisted));
  await page.addInitScript(() => {
    const { noteShown } = window as unknown as { noteShown(persisted: boolean): void };
    addEventListener('pageshow', ({ persisted }) => noteShown(persisted));
  });
  return restored;
}

/** As the browser's Back button; `page.goBack()` waits for a load that never comes from the cache. */
export async function pressBack(page: Page): Promise<void> {
  await page.evaluate(() => history.back());
}
