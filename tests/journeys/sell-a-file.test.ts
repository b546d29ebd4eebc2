import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openPage } from '../harness/browser.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { useApp } from '../harness/use-app.ts';
import {
  hashDownload,
  hashFile,
  payOnPage,
  sellOnPage,
  signUpOnPage,
  unlockOnPage,
  waitForSuccess,
  writeRandomFile,
} from './steps.ts';

const size = 100 * 1024 * 1024;
// Chromium itself replaces straight quotes, which some file systems refuse.
const name = 'Étude “n°1” – 日本.pdf';

describeOnSqliteFirst('selling a file', (database) => {
  const app = useApp({ database });

  test('from sign-up to the same bytes in the visitor’s hands', async () => {
    const folder = join(app.dataDir, '..', `upload-${database}`);
    mkdirSync(folder, { recursive: true });
    const file = join(folder, name);
    await writeRandomFile(file, size);

    const creator = await openPage(app);
    await signUpOnPage(creator, app);
    await creator.getByText('Welcome back, Ada').waitFor();
    await creator.getByText('No paywall links yet.').waitFor();
    const link = await sellOnPage(creator, file, '4.99');

    const visitor = await openPage(app, { context: { acceptDownloads: true } });
    await unlockOnPage(visitor, link);
    const downloading = visitor.waitForEvent('download');
    await payOnPage(visitor);
    await waitForSuccess(visitor);
    await visitor.getByRole('heading', { name: 'Payment Successful' }).waitFor();
    await visitor
      .getByText(
        'Thank you for your purchase. Your file is now unlocked and should be downloading.',
      )
      .waitFor();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe(name);
    expect(await hashDownload(download)).toBe(await hashFile(file));

    await creator.goto('/dashboard');
    await creator.getByText(link).waitFor();
    // 499 less 5% (25) and 30 cents.
    await creator.getByText('Balance: $4.44').waitFor();
  });
});
