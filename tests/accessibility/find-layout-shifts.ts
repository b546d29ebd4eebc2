import type { Page } from 'playwright-core';

/** Browsers' own reports have four decimals. A font in the page itself comes to a tenth of that. */
const LEAST = 0.0001;

/** What has moved by itself since the page was navigated to. */
export function findLayoutShifts(page: Page): Promise<string[]> {
  return page.evaluate(async (least) => {
    const shifts: LayoutShift[] = [];
    const collect = (list: PerformanceEntryList) => shifts.push(...(list as LayoutShift[]));
    const observer = new PerformanceObserver((list) => collect(list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    // What was measured before is handed over with the next frames.
    for (const _frame of [1, 2]) await new Promise((drawn) => requestAnimationFrame(drawn));
    collect(observer.takeRecords());
    observer.disconnect();
    return shifts
      .filter(({ hadRecentInput, value }) => !hadRecentInput && value >= least)
      .map(({ value, sources }) => `${value}: ${sources.map(({ node }) => describe(node))}`);

    function describe(node: Node | null): string {
      return node instanceof Element ? `${node.tagName} ${node.className}` : String(node?.nodeName);
    }
  }, LEAST);
}

interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null }[];
}
