import { globSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

/** What of a page in `en-XA` stands in our sources and in no catalogue. What people wrote is theirs. */
export async function findUntold(page: Page): Promise<string[]> {
  const left = await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: string[] = [];
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode;
      if (!parentElement || parentElement.closest('script, style, [lang]:not(html)')) continue;
      const told = /\[[^\]]*\]|\[[^\]]*$|^[^[]*\]/g;
      texts.push((textContent ?? '').replace(told, '').trim());
    }
    return texts;
  });
  return left.filter((text) => /\p{L}{2}/u.test(text) && text !== 'Padlink' && isOurs(text));
}

const SOURCES = globSync('web/**/*.tsx')
  .filter((path) => !path.startsWith('web/languages/'))
  .map((path) => readFileSync(path, 'utf8'))
  .map((source) => source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\s+/g, ' '))
  .join('\n');

/** Whether it is a text, or an end of one, that a page is made with. */
function isOurs(text: string): boolean {
  const words = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, ' ');
  return new RegExp(`['"\`>}] ?${words} ?['"\`<{$]`).test(SOURCES);
}
