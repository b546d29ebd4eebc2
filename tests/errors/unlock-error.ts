import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Pixels, the space around the message included. */
const MOST_BETWEEN = 32;

/**
 * The message stands alone in red right below the button, is read out, and the button is idle again.
 * Works on pages with and without JavaScript.
 */
export async function expectUnlockError(
  page: Page,
  message: string,
  label = 'Unlock Now',
): Promise<void> {
  const alert = await expectRedAlert(page, message);
  const button = page.getByRole('button', { name: label, exact: true });
  expect(await button.isEnabled()).toBe(true);
  const [above, below] = [await button.boundingBox(), await alert.boundingBox()];
  const distance = (below?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? 0);
  expect(distance).toBeGreaterThanOrEqual(0);
  // Nothing stands between them.
  expect(distance).toBeLessThan(MOST_BETWEEN);
}

/** The message stands alone in red, and is read out. */
export async function expectRedAlert(page: Page, message: string): Promise<Locator> {
  const alert = page.getByRole('alert');
  await alert.getByText(message, { exact: true }).waitFor();
  expect(await alert.textContent()).toBe(message);
  const { text, token, ground } = await alert.evaluate(readColors);
  expect(text).toEqual(token);
  const [red = 0, green = 255, blue = 255] = text;
  expect(red).toBeGreaterThan(1.4 * Math.max(green, blue));
  expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5);
  return alert;
}

/** As red, green and blue, of the text, of the design language's red, and of what is behind. */
function readColors(alert: Element) {
  const probe = document.createElement('span');
  probe.style.color = 'var(--color-danger)';
  alert.append(probe);
  const toRgb = (color: string) => {
    const canvas = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)];
  };
  const colors = {
    text: toRgb(getComputedStyle(alert).color),
    token: toRgb(getComputedStyle(probe).color),
    ground: toRgb(getComputedStyle(alert).backgroundColor),
  };
  probe.remove();
  return colors;
}

/** WCAG 2.2. */
function contrast(one: number[], other: number[]): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(rgb: number[]): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
