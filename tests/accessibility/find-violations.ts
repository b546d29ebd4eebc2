import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

// Its own copy, which has the version that it was made for.
const { resolve } = createRequire(import.meta.resolve('@axe-core/playwright'));
const axe = readFileSync(resolve('axe-core/axe.min.js'), 'utf8');

const RULES = {
  all: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  /** Those that look at colors, and so all that another theme can break. */
  ofColors: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
};

/**
 * Brings axe into the page, once for any number of looks at it. As a script of its own, which
 * Chromium compiles once for all documents of a process: `page.evaluate` has it compiled each time.
 */
export async function injectAxe(page: Page): Promise<void> {
  const tools = await page.context().newCDPSession(page);
  await tools.send('Runtime.evaluate', { expression: axe });
  await tools.detach();
}

/**
 * What axe finds in the page as it is now, each with the elements it found it at.
 * Runs within the page: the library's own way costs a second tab for each look.
 */
export function findViolations(page: Page, rules: keyof typeof RULES): Promise<string[]> {
  return page.evaluate(async (runOnly) => {
    const { violations } = await window.axe.run(document, { runOnly, resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }, RULES[rules]);
}

declare global {
  interface Window {
    axe: {
      run(
        context: Document,
        options: object,
      ): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
    };
  }
}
