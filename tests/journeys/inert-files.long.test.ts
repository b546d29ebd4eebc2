import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createLink, signUp, uploadFile } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import { useApp } from '../harness/use-app.ts';

const SCRIPT = "fetch('/ran-in-the-page')";

/** What a browser, or a server, would run if it took it for a part of the site. */
const HOSTILE: [name: string, type: string, content: string][] = [
  ['page.html', 'text/html', `<!doctype html><script>${SCRIPT}</script>`],
  [
    'drawing.svg',
    'image/svg+xml',
    `<svg xmlns="http://www.w3.org/2000/svg" onload="${SCRIPT}"><script>${SCRIPT}</script></svg>`,
  ],
  ['polyglot.gif', 'text/html', `GIF89a/*<html><script>${SCRIPT}</script>*/=1;${SCRIPT}`],
  ['.htaccess', 'text/plain', 'AddType text/html .txt\n'],
];

describe('a file that would act if it were opened', () => {
  const app = useApp();

  test.each(HOSTILE)('%s is kept and does nothing', async (name, type, content) => {
    const seller = await signUp(app);
    const { key } = await uploadFile(seller, {
      name,
      type,
      bytes: new Uint8Array(Buffer.from(content)),
    });
    const { id } = await createLink(seller, { key, unlocked: true });
    const page = await openPage(app);
    const ran: string[] = [];
    page.context().on('request', (request) => {
      if (request.url().includes('ran-in-the-page')) ran.push(request.url());
    });
    await page.goto(`/p/${id}`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Unlock Now' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(name.replace(/^\./, ''));
    expect(readFileSync(await download.path(), 'utf8')).toBe(content);
    expect(new URL(page.url()).pathname).toBe(`/p/${id}`);
    // Opened by its address, and as a picture of another page, it does not act either.
    const [again] = await Promise.all([
      page.waitForEvent('download'),
      page.goto(`/p/${id}/content`).catch(() => {}),
    ]);
    await again.path();
    expect(ran).toEqual([]);
  });
});
