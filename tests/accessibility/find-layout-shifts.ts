import type { Page } from 'playwright-core';

/** What has moved by itself since the page was navigated to. */
export function findLayoutShifts(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const shifts: LayoutShift[] = [];
    const collect = (list: PerformanceEntryList) => shifts.push(...(list as LayoutShift[]));
    const observer = new PerformanceObserver((list) => collect(list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    // What was measured before is handed over with the next frames.
    for (const _frame of [1, 2]) await new Promise((drawn) => requestAnimationFrame(drawn));
    collect(observer.takeRecords());
    observer.disconnect();
    return shifts
      .filter(({ hadRecentInput }) => !hadRecentInput)
      .map(({ value, sources }) => `${value}: ${sources.map(({ node }) => describe(node))}`);

    function describe(node: Node | null): string {
      return node instanceof Element ? `${node.tagName} ${node.className}` : String(node?.nodeName);
    }
  });
}

interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null }[];
}
