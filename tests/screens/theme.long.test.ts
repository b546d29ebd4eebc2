import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { openPage } from '../harness/browser.ts';
import { useApp } from '../harness/use-app.ts';

describe('the colors of the page', () => {
  const app = useApp();

  test('follow the system until the visitor chooses, and then the choice on every page', async () => {
    const page = await openPage(app, { context: { colorScheme: 'light' } });
    await page.addInitScript(noteFirstFrame);
    await page.goto('/');
    expect(await schemeOf(page)).toBe('light dark');
    await choose(page, 'Dark');
    expect(await schemeOf(page)).toBe('dark');

    // A page that is never hydrated.
    await page.getByRole('link', { name: 'Terms' }).click();
    await page.waitForURL('/terms');
    expect(await firstFrameOf(page)).toBe('dark');
    expect(await page.getByLabel('Dark', { exact: true }).isChecked()).toBe(true);

    await choose(page, 'System');
    expect(await schemeOf(page)).toBe('light dark');
    await page.reload();
    expect(await firstFrameOf(page)).toBe('light dark');
  });

  test('keep the choice when the page is hydrated, and change in other tabs too', async () => {
    const page = await openPage(app);
    await page.goto('/explore');
    const other = await page.context().newPage();
    await other.goto('/login');
    await choose(page, 'Light');
    await other.waitForFunction(() => document.documentElement.dataset.theme === 'light');
    await other.reload();
    // The tabs work once the page is hydrated.
    await other.getByRole('link', { name: 'Create account' }).click();
    await other.getByLabel('First Name').waitFor();
    expect(await other.getByLabel('Light', { exact: true }).isChecked()).toBe(true);
  });
});

/** Runs in the browser before the page: notes what its first frame is painted with. */
function noteFirstFrame() {
  requestAnimationFrame(() => {
    Reflect.set(window, 'firstFrame', getComputedStyle(document.documentElement).colorScheme);
  });
}

/** The load of a page does not wait for its first frame. */
async function firstFrameOf(page: Page): Promise<string> {
  const frame = await page.waitForFunction(() => Reflect.get(window, 'firstFrame'));
  return await frame.jsonValue();
}

function schemeOf(page: Page): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
}

/** As a person does, who sees the label and not the radio button in it. */
async function choose(page: Page, theme: string) {
  await page.getByTitle(theme, { exact: true }).click();
}
