import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { openPage } from '../harness/browser.ts';
import { createChosenFolder } from '../harness/run-folder.ts';
import { useApp } from '../harness/use-app.ts';
import { signUpOnPage, writeRandomFile } from './steps.ts';

describe('the upload form', () => {
  const app = useApp({ env: { MAX_FILE_BYTES: String(64 * 1024 * 1024) } });

  const folder = createChosenFolder();

  async function openForm(): Promise<Page> {
    const page = await openPage(app);
    await signUpOnPage(page, app);
    await page.goto('/upload');
    return page;
  }

  function writeFile(name: string, content: string): string {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  }

  const upload = (page: Page) => page.getByRole('button', { name: 'Upload', exact: true }).click();

  test('refuses an empty file and one beyond the limit by name', async () => {
    const page = await openForm();
    await page.getByLabel('Price (USD)').fill('5');
    await page.getByLabel('Choose File').setInputFiles(writeFile('empty.txt', ''));
    await upload(page);
    await page.getByText(/empty/i).last().waitFor();
    const large = join(app.dataDir, '..', 'large.bin');
    await writeRandomFile(large, 64 * 1024 * 1024 + 1);
    await page.getByLabel('Choose File').setInputFiles(large);
    await upload(page);
    await page.getByText(/larger than the maximum of/).waitFor();
    expect(await page.getByText('Your paywall link:').count()).toBe(0);
  });

  test('shows how far it is and can be canceled, and then started again', async () => {
    const page = await openForm();
    // Slow enough to be seen: the bytes wait until they are let through.
    let letThrough = () => {};
    const gate = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    await page.route('**/uploads/*', async (route) => {
      await gate;
      await route.continue().catch(() => {});
    });
    const file = join(app.dataDir, '..', 'slow.bin');
    await writeRandomFile(file, 8 * 1024 * 1024);
    await page.getByLabel('Choose File').setInputFiles(file);
    await page.getByLabel('Price (USD)').fill('5');
    await upload(page);
    await page.getByRole('progressbar').waitFor();
    await page.getByText(/^\d+%$/).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('progressbar').waitFor({ state: 'detached' });
    letThrough();
    await upload(page);
    await page.getByText('Your paywall link:').waitFor();
  });
});
