import { beforeAll, describe, expect, test } from 'vitest';
import { sellFile, signUp } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import { findFreePort } from '../harness/free-port.ts';
import { useApp } from '../harness/use-app.ts';
import { expectLeft, payOnPage, unlockOnPage, waitForSuccess } from './steps.ts';

const sandboxPort = await findFreePort();

describe('the hosted checkout on another site', () => {
  const app = useApp({ env: { SANDBOX_PORT: String(sandboxPort) } });
  let link: string;

  beforeAll(async () => {
    link = `/p/${(await sellFile(await signUp(app))).id}`;
  });

  // The provider's page is another site in real life. 127.0.0.1 is one for localhost: cookies of
  // the strict kind and same-site posts are missing on the way back, as they are there.
  test('leads back to an unlocked success page and its download', async () => {
    const visitor = await openPage(app);
    await unlockOnPage(visitor, link);
    const { pathname } = new URL(visitor.url());
    await visitor.goto(`http://127.0.0.1:${sandboxPort}${pathname}`);
    const downloading = visitor.waitForEvent('download');
    await payOnPage(visitor);
    await waitForSuccess(visitor);
    await visitor.getByRole('heading', { name: 'Payment Successful' }).waitFor();
    expect((await downloading).suggestedFilename()).toBe('notes.pdf');
    await visitor.goto(link);
    await visitor.getByText('unlocked for you').waitFor();
  });

  test('leads back to the link when it is left', { tags: 'long' }, async () => {
    const visitor = await openPage(app);
    await unlockOnPage(visitor, link);
    const { pathname } = new URL(visitor.url());
    await visitor.goto(`http://127.0.0.1:${sandboxPort}${pathname}`);
    await visitor.getByRole('link', { name: /back/i }).click();
    await visitor.waitForURL(app.origin + link);
    await expectLeft(visitor);
  });
});
