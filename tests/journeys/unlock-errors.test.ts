import { beforeAll, describe, expect, test } from 'vitest';
import { openPage } from '../browser.ts';
import { sellFile, signUp } from '../factories.ts';
import { useApp } from '../use-app.ts';
import { waitUntilAlive } from './steps.ts';

describe('the paywall page', () => {
  const app = useApp();
  let link: string;

  beforeAll(async () => {
    link = `/p/${(await sellFile(await signUp(app))).id}`;
  });

  test.each([
    ['without a url', 200, '{}', 'Stripe URL not returned.'],
    ['that is an error', 500, '{}', 'An error occurred while unlocking.'],
    ['that is no JSON', 200, 'hello', 'An error occurred while unlocking.'],
  ])('tells of a checkout reply %s', async (_title, status, body, message) => {
    const visitor = await openPage(app, { expectedErrors: /./ });
    await visitor.route('**/prod/checkout', (route) =>
      route.fulfill({ status, body, contentType: 'application/json' }),
    );
    await visitor.goto(link);
    await waitUntilAlive(visitor);
    await visitor.getByRole('button', { name: 'Unlock Now' }).click();
    await visitor.getByText(message).waitFor();
    expect(await visitor.getByRole('button', { name: 'Unlock Now' }).isEnabled()).toBe(true);
  });

  test('reads "Unlocking..." while it works', async () => {
    const visitor = await openPage(app);
    let letThrough = () => {};
    const gate = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    await visitor.route('**/prod/checkout', async (route) => {
      await gate;
      await route.continue();
    });
    await visitor.goto(link);
    await waitUntilAlive(visitor);
    await visitor.getByRole('button', { name: 'Unlock Now' }).click();
    const busy = visitor.getByRole('button', { name: 'Unlocking...' });
    await busy.waitFor();
    expect(await busy.isDisabled()).toBe(true);
    letThrough();
    await visitor.waitForURL(/\/sandbox\/checkout\//);
  });
});

describe('the paywall page without a checkout endpoint', () => {
  const app = useApp({ env: { CHECKOUT_API_ENDPOINT: '' } });

  test('says what is missing', async () => {
    const { id } = await sellFile(await signUp(app));
    const visitor = await openPage(app, { expectedErrors: /REST API/ });
    await visitor.goto(`/p/${id}`);
    await waitUntilAlive(visitor);
    await visitor.getByRole('button', { name: 'Unlock Now' }).click();
    await visitor.getByText('REST API endpoint not configured.').waitFor();
  });
});
