import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** The page shows this one error, in an alert that describes the field, which has the focus. */
export async function expectFault(page: Page, field: Locator, message: string): Promise<void> {
  await page.getByRole('alert').getByText(message, { exact: true }).waitFor();
  await field.and(page.locator(':focus')).waitFor();
  const described = await field.evaluate((input) =>
    input
      .getAttribute('aria-describedby')
      ?.split(' ')
      .map((id) => document.getElementById(id)?.textContent),
  );
  expect(described).toContain(message);
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByRole('alert').count()).toBe(1);
}
