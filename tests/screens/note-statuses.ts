import type { Page } from 'playwright-core';

/**
 * Notes what the status of the pages to come says whenever it is shown, with the path of the page.
 * While a navigation waits, a page can be watched from within only.
 */
export async function noteStatuses(page: Page, selector: string): Promise<string[]> {
  const shown: string[] = [];
  await page.exposeFunction('noteStatus', (text: string) => shown.push(text));
  await page.addInitScript((watched) => {
    const { noteStatus } = window as unknown as { noteStatus(text: string): void };
    new MutationObserver(() => {
      const status = document.querySelector(watched);
      if (status?.checkVisibility()) noteStatus(`${location.pathname} ${status.textContent}`);
    }).observe(document, { childList: true, subtree: true });
  }, selector);
  return shown;
}
