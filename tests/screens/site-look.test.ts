import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { wordsOn } from '../../contract/accent.ts';
import { examine, ONE_VIEW } from '../accessibility/examine.ts';
import { readMail, sellFile, signUp } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import { useApp } from '../harness/use-app.ts';

const LOGO = join(import.meta.dirname, '../../web/assets/icons/padlink.svg');
const DARK_BLUE = '#1d3f8f';

describe('a site with a name and a color of its own', () => {
  const app = useApp({ env: { SITE_NAME: 'Lantern & Sons', ACCENT_COLOR: DARK_BLUE } });
  const read = async (path: string) => (await fetch(app.origin + path)).text();

  test('bears its name on pages, in mails and wherever others show it', async () => {
    const seller = await signUp(app, { email: 'ada@example.com' });
    const { id } = await sellFile(seller);

    const home = await read('/');
    expect(home).toContain('<title>Lantern &amp; Sons: Upload. Share. Earn.</title>');
    expect(home).toContain('>Lantern &amp; Sons</h1>');
    const paywall = await read(`/p/${id}`);
    expect(paywall).toContain('<title>Paywalled Content · Lantern &amp; Sons</title>');
    expect(paywall).toContain('content="Lantern &amp; Sons" property="og:site_name"');
    for (const path of [
      '/',
      '/terms',
      '/privacy',
      '/login',
      `/p/${id}`,
      '/explore',
      '/not-there',
    ]) {
      expect((await read(path)).includes('Padlink'), path).toBe(false);
    }
    expect(JSON.parse(await read('/config.json'))).toMatchObject({ siteName: 'Lantern & Sons' });
    expect(JSON.parse(await read('/site.webmanifest'))).toMatchObject({ name: 'Lantern & Sons' });
    expect(await read('/explore.atom')).toContain('· Lantern &amp; Sons</title>');
    const shown = await read(`/oembed?url=${encodeURIComponent(`${app.origin}/p/${id}`)}`);
    expect(JSON.parse(shown)).toMatchObject({ provider_name: 'Lantern & Sons' });

    const { subject, html } = await readMail(app, 'ada@example.com', /code/);
    expect(subject).toMatch(/^\d{6} is your Lantern & Sons code$/);
    expect(html).toContain('>Lantern &amp; Sons</p>');
  });

  test('has buttons in its color, on which words can be read in both themes', async () => {
    const seller = await signUp(app);
    const { id } = await sellFile(seller);
    const page = await openPage(app);
    await page.goto(`/p/${id}`);
    const button = page.getByRole('button', { name: 'Unlock Now' });
    const read = () =>
      button.evaluate((element) => {
        const { backgroundColor, color } = getComputedStyle(element);
        return { backgroundColor, color };
      });
    const colors = { backgroundColor: 'rgb(29, 63, 143)', color: 'rgb(255, 255, 255)' };
    expect(await read()).toEqual(colors);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await read()).toEqual(colors);
    expect(await examine(page, ONE_VIEW)).toEqual([]);
  });

  test.each([
    ['#000000', '#ffffff'],
    ['#757575', '#ffffff'],
    ['#777777', '#000000'],
    ['#f2bb3b', '#000000'],
    ['#ffffff', '#000000'],
  ])('words on %s are %s', (accent, words) => {
    expect(wordsOn(accent)).toBe(words);
  });
});

describe('a site with a logo', () => {
  const app = useApp({ env: { SITE_LOGO: LOGO } });

  test('shows it in place of the name, and serves it so that nothing in it can run', async () => {
    const page = await openPage(app);
    await page.goto('/explore');
    const logo = page.getByRole('link', { name: 'Padlink' }).getByRole('img');
    expect(await logo.getAttribute('src')).toBe('/logo.svg');
    await expect
      .poll(() => logo.evaluate((image) => (image as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(0);
    const { headers } = await fetch(`${app.origin}/logo.svg`);
    expect(headers.get('content-type')).toBe('image/svg+xml');
    expect(headers.get('content-security-policy')).toContain('sandbox');
  });
});
