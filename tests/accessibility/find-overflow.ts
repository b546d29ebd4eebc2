import type { Page } from 'playwright-core';

/** What sticks out of the page to the right; empty where nothing has to be scrolled sideways. */
export function findOverflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const all = [...document.body.querySelectorAll('*')];
    return all
      .filter((element) => element.getBoundingClientRect().right > clientWidth)
      .map((element) => `${element.tagName} ${element.className}`);
  });
}
