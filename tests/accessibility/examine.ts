import type { Page } from 'playwright-core';
import { findCutStyles } from './find-cut-styles.ts';
import { findOverflow } from './find-overflow.ts';
import { findSmallTargets } from './find-small-targets.ts';
import { findViolations, injectAxe } from './find-violations.ts';

const PHONE = { width: 375, height: 800 };
const NARROW_PHONE = { width: 320, height: 640 };
const DESK = { width: 1280, height: 800 };

export type View = readonly [
  string,
  typeof PHONE,
  'light' | 'dark',
  Parameters<typeof findViolations>[1],
];

export const ONE_VIEW: readonly View[] = [['phone, light', PHONE, 'light', 'all']];

/**
 * Both widths and both themes. A theme moves and renames nothing: it is looked at for colors. In this
 * order, the page changes one thing at a time.
 */
export const ALL_VIEWS: readonly View[] = [
  ['phone, light', PHONE, 'light', 'all'],
  ['phone, dark', PHONE, 'dark', 'ofColors'],
  ['desk, dark', DESK, 'dark', 'all'],
  ['desk, light', DESK, 'light', 'ofColors'],
];

/** Looks at the page in each view, and on a narrow phone. Returns what is wrong, and where. */
export async function examine(page: Page, views: readonly View[]): Promise<string[]> {
  const faults = (await findCutStyles(page)).map((name) => `has no styles here: ${name}`);
  await injectAxe(page);
  for (const [view, size, colorScheme, rules] of views) {
    await page.emulateMedia({ colorScheme });
    await resize(page, size);
    faults.push(...(await findViolations(page, rules)).map((fault) => `${view}: ${fault}`));
  }
  await resize(page, NARROW_PHONE);
  faults.push(...(await findOverflow(page)).map((fault) => `sticks out at 320 px: ${fault}`));
  faults.push(...(await findSmallTargets(page)).map((fault) => `small target: ${fault}`));
  return faults;
}

async function resize(page: Page, size: typeof PHONE): Promise<void> {
  await page.setViewportSize(size);
  // Widths and media queries follow a new viewport with the next frame.
  await page.evaluate(async () => {
    for (const _frame of [1, 2]) await new Promise((drawn) => requestAnimationFrame(drawn));
  });
}
