import { describe, expect, onTestFinished, test } from 'vitest';
import { createLink, signUp } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import { eventually } from '../harness/eventually.ts';
import { startReceiver } from '../harness/start-receiver.ts';
import { useApp } from '../harness/use-app.ts';
import { waitUntilAlive } from './steps.ts';

describe('a webhook on its page', () => {
  const app = useApp({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });

  test('is made, shows what its program answered, sends it again, and gets another secret', async () => {
    const receiver = await startReceiver();
    onTestFinished(receiver.stop);
    const seller = await signUp(app);
    const page = await openPage(app, { as: seller });
    await page.goto('/account/webhooks');
    await waitUntilAlive(page);
    await page.getByLabel('Web address').fill(receiver.url);
    await page.getByRole('button', { name: 'Create webhook' }).click();
    const secret = page.locator('code', { hasText: /^whsec_/ });
    const first = await secret.textContent();
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await secret.waitFor({ state: 'hidden' });

    receiver.answerWith('wrong');
    await createLink(seller, { type: 'link', url: 'https://example.com/' });
    await eventually(() => expect(receiver.taken).toHaveLength(1));
    receiver.answerWith('well');
    await eventually(async () => {
      await page.goto('/account/webhooks');
      expect(await page.getByText('It has accepted nothing since').count()).toBe(1);
    });
    await page.getByRole('link', { name: /^What was sent/ }).click();
    const event = page.getByRole('listitem').filter({ hasText: 'link.created' });
    await event.getByText('Message and answers').click();
    await event.getByText('500', { exact: true }).first().waitFor();
    await event.getByRole('button', { name: /^Send again/ }).click();
    await eventually(() => expect(receiver.taken.length).toBeGreaterThan(1));
    await eventually(async () => {
      await page.reload();
      await event.getByText('Message and answers').click();
      expect(await event.getByText('200', { exact: true }).count()).toBeGreaterThan(0);
    });
    expect(await event.getByText('Waiting').count()).toBe(0);
    expect(new Set(receiver.taken.map(({ headers }) => headers['webhook-id'])).size).toBe(1);

    await page.getByRole('button', { name: /^New secret/ }).click();
    await page.getByText('The previous secret is valid until').waitFor();
    expect(await secret.textContent()).not.toBe(first);
    await createLink(seller, { type: 'link', url: 'https://example.com/' });
    await eventually(() =>
      expect(String(receiver.taken.at(-1)?.headers['webhook-signature']).split(' ')).toHaveLength(
        2,
      ),
    );
  });
});
