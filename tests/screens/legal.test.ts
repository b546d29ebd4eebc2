import { describe, expect, test } from 'vitest';
import { openPage } from '../harness/browser.ts';
import { useApp } from '../harness/use-app.ts';

const STATEMENTS = [
  /minimum age is 13/,
  /all sales are final/i,
  /a small platform fee per transaction/,
  /typically 1 to 5 dollars/,
  /card payment provider, handles the payments/,
];

describe('terms and privacy of a site that names its operator', () => {
  const app = useApp({
    env: {
      OPERATOR_NAME: 'Lantern Books Ltd',
      OPERATOR_ADDRESS: '1 Quay Street\nHarbourtown',
      SUPPORT_EMAIL: 'help@lantern.example',
      PLATFORM_FEE_PERCENT: '4.5',
      PLATFORM_FEE_FIXED_CENTS: '20',
    },
  });

  test.each(['/terms', '/privacy'])('%s states what the specification asks of it', async (path) => {
    const page = await openPage(app);
    await page.goto(path);
    const words = await page.locator('article').textContent();
    for (const statement of STATEMENTS) expect(words).toMatch(statement);
  });

  test('the privacy page says what of a creator is public, and that views are counted without cookies', async () => {
    const page = await openPage(app);
    await page.goto('/privacy');
    const words = await page.locator('article').textContent();
    expect(words).toMatch(
      /is public: the seller name and the page of your own, .* description and cover of each link\./,
    );
    expect(words).toContain('Views of paywall pages are counted without cookies.');
    expect(words).toMatch(/network address and browser are hashed together .* never stored\./);
  });

  test.each(['/terms', '/privacy'])('%s names operator, contact and fee', async (path) => {
    const page = await openPage(app);
    await page.goto(path);
    const words = await page.locator('article').textContent();
    expect(words).toContain('This site is run by Lantern Books Ltd');
    expect(words).toContain('1 Quay Street\nHarbourtown');
    expect(words).toContain('4.5% plus $0.20');
    const mail = page.getByRole('link', { name: 'help@lantern.example' });
    expect(await mail.getAttribute('href')).toBe('mailto:help@lantern.example');
  });
});

describe('terms of a site without a named operator', () => {
  const app = useApp();

  test('name the site instead of its operator', async () => {
    const page = await openPage(app);
    await page.goto('/terms');
    await page.getByText('run by the operator of localhost:').waitFor();
  });
});
