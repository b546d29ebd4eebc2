import type { Page } from 'playwright-core';

/** Lets requests to matching addresses wait until the returned function is called. */
export async function holdRequests(page: Page, address: string | RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await promise;
    // The page may have been left meanwhile.
    await route.continue().catch(() => {});
  });
  return resolve;
}
