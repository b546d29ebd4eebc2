import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

// Its own copy, which has the version that it was made for.
const { resolve } = createRequire(import.meta.resolve('@axe-core/playwright'));
const axe = readFileSync(resolve('axe-core/axe.min.js'), 'utf8');

const OPTIONS = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
};

/** Brings axe into the page, once for any number of looks at it. */
export async function injectAxe(page: Page): Promise<void> {
  await page.evaluate(axe);
}

/**
 * What axe finds in the page as it is now, each with the elements it found it at.
 * Runs within the page: the library's own way costs a second tab for each look.
 */
export function findViolations(page: Page): Promise<string[]> {
  return page.evaluate(async (options) => {
    const { violations } = await window.axe.run(document, options);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }, OPTIONS);
}

declare global {
  interface Window {
    axe: {
      run(
        context: Document,
        options: typeof OPTIONS,
      ): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
    };
  }
}
