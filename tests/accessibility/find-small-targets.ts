import type { Page } from 'playwright-core';

/** Pixels, of the smaller side. */
const SMALLEST = 44;

/** What can be pressed and is too small for a finger. Links within a text may be as high as it. */
export function findSmallTargets(page: Page): Promise<string[]> {
  return page.evaluate((smallest) => {
    const TARGETS = 'a[href], button, input:not([type=hidden]), select, textarea, summary';
    const all = [...document.querySelectorAll<HTMLElement>(TARGETS)];
    return all
      .filter((element) => isOnShow(element) && !isInText(element))
      .map((element) => ({ element, ...measure(element) }))
      .filter(({ width, height }) => Math.min(width, height) < smallest)
      .map(({ element, width, height }) => {
        const name = element.textContent?.trim() || element.getAttribute('name');
        return `${element.tagName} ${name}: ${width} x ${height}`;
      });

    function isOnShow(element: HTMLElement): boolean {
      // What is for screen readers alone is clipped to nothing; the skip link waits above the page.
      const { width, height, bottom } = element.getBoundingClientRect();
      const isFixedAbove = bottom <= 0 && getComputedStyle(element).position === 'absolute';
      return element.checkVisibility() && width > 1 && height > 1 && !isFixedAbove;
    }

    function isInText(element: HTMLElement): boolean {
      return element.tagName === 'A' && getComputedStyle(element).display === 'inline';
    }

    /** A label is pressed as well as its box. */
    function measure(element: HTMLElement): { width: number; height: number } {
      const { labels } = element as HTMLInputElement;
      const isBox = element.matches('[type=checkbox], [type=radio], [type=file]');
      const parts = [element, ...(isBox ? (labels ?? []) : [])];
      const boxes = parts.map((part) => part.getBoundingClientRect());
      const round = (pixels: number) => Math.round(pixels * 10) / 10;
      return {
        width: round(Math.max(...boxes.map(({ width }) => width))),
        height: round(Math.max(...boxes.map(({ height }) => height))),
      };
    }
  }, SMALLEST);
}
