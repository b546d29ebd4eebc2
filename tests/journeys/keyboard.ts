import type { Locator, Page } from 'playwright-core';
import { isFocused } from './steps.ts';

/** More stops than any page has. */
const MOST_STOPS = 60;

/**
 * Presses Tab until the element has the focus.
 * @throws when it never gets there, or when a stop on the way does not show the focus
 */
export async function tabTo(page: Page, element: Locator): Promise<void> {
  await element.waitFor();
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    await page.keyboard.press('Tab');
    const hidden = await findHiddenFocus(page);
    if (hidden) throw new Error(`The focus is not to be seen on ${hidden}`);
    if (await isFocused(element)) return;
  }
  throw new Error(`Tab does not lead to ${element}`);
}

/** Tabs to a field and types into it. */
export async function typeInto(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, page.getByLabel(label, { exact: true }));
  await page.keyboard.type(text);
}

/** Tabs to a button or a link and presses Enter. */
export async function pressEnterOn(page: Page, element: Locator): Promise<void> {
  await tabTo(page, element);
  await page.keyboard.press('Enter');
}

/** The element that has the focus without showing it by an outline, on itself or on its label. */
function findHiddenFocus(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const focused = document.activeElement;
    // From the last stop, Tab leads to the browser itself.
    if (!focused || focused === document.body) return null;
    const labels = [...((focused as HTMLInputElement).labels ?? [])];
    const isShown = [focused, ...labels].some((element) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    });
    return isShown ? null : focused.outerHTML.slice(0, 200);
  });
}
