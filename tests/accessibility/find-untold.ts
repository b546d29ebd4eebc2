import { globSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

/** What of a page in `en-XA` stands in our sources and in no catalog. What people wrote is theirs. */
export async function findUntold(page: Page): Promise<string[]> {
  const left = await page.evaluate(() => {
    const told = /\[[^\]]*\]|\[[^\]]*$|^[^[]*\]/g;
    const isForeign = (element: Element) =>
      element.closest('script, style, code, [translate=no], [lang]:not(html)') !== null;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = [document.title];
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode;
      if (parentElement && !isForeign(parentElement)) texts.push(textContent ?? '');
    }
    for (const name of ['alt', 'aria-label', 'placeholder', 'title']) {
      for (const element of document.body.querySelectorAll(`[${name}]`)) {
        if (!isForeign(element)) texts.push(element.getAttribute(name) ?? '');
      }
    }
    return texts.map((text) => text.replace(told, '').trim());
  });
  return left.filter((text) => /\p{L}{2}/u.test(text) && !NAMES.test(text) && isOurs(text));
}

/** The product’s, those of events and formats, and examples of what may be typed. */
const NAMES = /^(?:(?:· )?Padlink:?|SQLite|PostgreSQL|[a-z]+\.[a-z_]+|SVG|PNG|SPRING|https:\/\/)$/;

const SOURCES = globSync('{contract,server,web}/**/*.{ts,tsx}')
  .filter((path) => !/^web\/languages\/|\.test\.ts$/.test(path))
  .map((path) => readFileSync(path, 'utf8'))
  .map((source) => source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\s+/g, ' '))
  .join('\n');

/** Whether it is a text, or an end of one, that a page is made with. */
function isOurs(text: string): boolean {
  const words = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, ' ');
  return new RegExp(`['"\`>}] ?${words} ?['"\`<{$]`).test(SOURCES);
}
