import { globSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const [sheet, ...others] = globSync('dist/client/assets/*.css');
if (!sheet || others.length > 0) throw new Error('The build has not exactly one stylesheet.');
const wholeStyles = readFileSync(sheet, 'utf8');

/** Classes on the page that the whole stylesheet knows, and the page's part of it does not. */
export function findCutStyles(page: Page): Promise<string[]> {
  return page.evaluate((whole) => {
    const tags = [...document.querySelectorAll('style')];
    const own = tags.map(({ textContent }) => textContent).join('');
    const all = [...document.querySelectorAll('[class]')];
    const names = new Set(all.flatMap(({ classList }) => [...classList]));
    return [...names].filter((name) => isIn(whole, name) && !isIn(own, name));

    function isIn(css: string, name: string): boolean {
      const selector = `.${CSS.escape(name)}`;
      for (let at = css.indexOf(selector); at >= 0; at = css.indexOf(selector, at + 1)) {
        if (!/[\w\\-]/.test(css[at + selector.length] ?? '')) return true;
      }
      return false;
    }
  }, wholeStyles);
}
