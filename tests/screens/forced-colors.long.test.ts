import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { openPage } from '../harness/browser.ts';
import { useApp } from '../harness/use-app.ts';

describe('in colors that the visitor’s system forces on every page', () => {
  const app = useApp();

  /** On a light system, with the page's dark theme chosen against it. */
  async function openLogin(): Promise<Page> {
    const page = await openPage(app, {
      context: { forcedColors: 'active', colorScheme: 'light', reducedMotion: 'reduce' },
    });
    await page.addInitScript(() => localStorage.setItem('theme', 'dark'));
    await page.goto('/login');
    return page;
  }

  const styleOf = (
    element: Locator,
    property: 'fill' | 'outlineStyle' | 'borderTopStyle' | 'forcedColorAdjust',
  ) => element.evaluate((node, name) => getComputedStyle(node)[name], property);

  /** How the browser draws text, and what is behind it. */
  const readCanvas = (page: Page) =>
    page.evaluate(() => {
      const { color, backgroundColor } = getComputedStyle(document.body);
      return { color, backgroundColor };
    });

  test('the lock stands out from the page, and its keyhole from the lock', async () => {
    const page = await openLogin();
    const { color, backgroundColor } = await readCanvas(page);
    expect(color).not.toBe(backgroundColor);
    const lock = page.locator('main .lock');
    expect(await styleOf(lock.locator('.lock-body'), 'fill')).toBe(color);
    expect(await styleOf(lock.locator('.lock-keyhole'), 'fill')).toBe(backgroundColor);
  });

  test('what is chosen has an outline, buttons have a border, and the focus is to be seen', async () => {
    const page = await openLogin();
    const tab = page.getByRole('link', { name: 'Sign in', exact: true });
    expect(await styleOf(tab, 'outlineStyle')).toBe('solid');
    const other = page.getByRole('link', { name: 'Create account' });
    expect(await styleOf(other, 'outlineStyle')).toBe('none');
    await page.locator('label:has(> [name=theme]:checked)').waitFor();
    const theme = page.locator('label', { has: page.locator('[name=theme][value=dark]') });
    expect(await styleOf(theme, 'outlineStyle')).toBe('solid');
    const button = page.getByRole('button', { name: 'Sign in', exact: true });
    expect(await styleOf(button, 'borderTopStyle')).toBe('solid');
    // Its own pair of colors, without the ground that the browser puts behind text.
    expect(await styleOf(button, 'forcedColorAdjust')).toBe('none');
    await page.keyboard.press('Tab');
    expect(await styleOf(page.locator(':focus'), 'outlineStyle')).toBe('solid');
  });
});
