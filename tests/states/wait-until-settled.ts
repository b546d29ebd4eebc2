import type { Page } from 'playwright-core';
import { waitUntilAlive } from '../journeys/steps.ts';

/** Waits until the fonts are there and, where the page has behavior, React has taken over. */
export async function waitUntilSettled(page: Page): Promise<void> {
  const isAlive = await page.evaluate(() =>
    document.fonts.ready.then(() => document.getElementById('page') !== null),
  );
  if (isAlive) await waitUntilAlive(page);
}
