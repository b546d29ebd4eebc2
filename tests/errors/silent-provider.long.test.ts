import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sellFile, signUp } from '../factories/factories.ts';
import { checkOut, payAt } from '../factories/payment.ts';
import { openPage } from '../harness/browser.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { waitUntilAlive } from '../journeys/steps.ts';
import { startProviderProxy } from './provider-proxy.ts';
import { expectUnlockError } from './unlock-error.ts';

const provider = await startProviderProxy();
afterAll(provider.stop);

/** What a page is waited for: less than the client of the provider would wait. */
const PATIENCE = { timeout: 30_000 };

describe('while the provider takes requests and never answers', () => {
  const app = useApp(provider);
  let seller: Person;
  let id: string;

  beforeAll(async () => {
    seller = await signUp(app);
    id = (await sellFile(seller)).id;
  });
  afterEach(() => provider.fail('none'));

  /** Back from the checkout, where it was paid in the moment the provider fell silent. */
  async function payAndFallSilent() {
    const buyer = createPerson(app);
    const checkout = await checkOut(buyer, id);
    provider.fail('silent');
    const success = (await payAt(buyer, checkout)).headers.get('location') ?? '';
    return { buyer, success };
  }

  test('the success page says that it is being confirmed, asks on one at a time, and hands over what comes', async () => {
    const { buyer, success } = await payAndFallSilent();
    const page = await openPage(app, { as: buyer });
    await page.goto(success, PATIENCE);
    await page.getByRole('heading', { name: 'Confirming your payment…' }).waitFor();
    for (const _poll of [1, 2, 3, 4]) {
      await page.waitForResponse(`${app.origin}/graphql`);
      // The page's, and that of the job of the webhook.
      expect(provider.countUnanswered()).toBeLessThanOrEqual(2);
    }
    provider.fail('none');
    const downloading = page.waitForEvent('download');
    await page.getByRole('heading', { name: 'Payment Successful' }).waitFor();
    await downloading;
  });

  test('the success page is there without JavaScript as well, and loads itself again', async () => {
    const { buyer, success } = await payAndFallSilent();
    const page = await openPage(app, { as: buyer, javaScript: false });
    await page.goto(success, PATIENCE);
    await page.getByRole('heading', { name: 'Confirming your payment…' }).waitFor();
    provider.fail('none');
    await page.getByRole('heading', { name: 'Payment Successful' }).waitFor();
  });

  test('the page of a link whose checkout was left is there, and claims nothing that nobody knows', async () => {
    const { buyer } = await payAndFallSilent();
    const page = await openPage(app, { as: buyer });
    await page.goto(`/p/${id}`, PATIENCE);
    await page.getByRole('heading', { name: 'Paywalled Content' }).waitFor();
    expect(await page.getByText('Nothing was charged.').count()).toBe(0);
  });

  test.each([true, false])(
    'Unlock Now says that it does not answer, and goes on once it does (JavaScript: %s)',
    async (javaScript) => {
      const visitor = await openPage(app, {
        javaScript,
        expectedErrors: /502 \/prod\/checkout|Error: Failed to create checkout session/,
      });
      await visitor.goto(`/p/${id}`);
      if (javaScript) await waitUntilAlive(visitor);
      provider.fail('silent');
      await visitor.getByRole('button', { name: 'Unlock Now' }).click();
      await expectUnlockError(visitor, 'An error occurred while unlocking.');
      await visitor.getByText('The payment provider is not responding.').waitFor();
      provider.fail('none');
      await visitor.getByRole('button', { name: 'Unlock Now' }).click();
      await visitor.waitForURL(/\/sandbox\/checkout\//);
    },
  );
});
