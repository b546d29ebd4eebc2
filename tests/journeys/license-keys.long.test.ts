import { describe, expect, test } from 'vitest';
import { sellFile, signUp } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import { postJson, readJson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { waitUntilAlive } from './steps.ts';

describe('license keys', () => {
  const app = useApp();

  test('a seller lists keys, a buyer gets one and copies it, and its devices are cleared', async () => {
    const seller = await signUp(app);
    const { id } = await sellFile(seller, { price: 1000 });
    const own = await openPage(app, { as: seller });
    await own.goto(`/dashboard?edit=${id}`);
    await own.getByText('More options').click();
    await own.getByRole('link', { name: 'License keys' }).click();
    await waitUntilAlive(own);
    await own.getByLabel('Keys for new buyers').selectOption({ label: 'Keys from my list' });
    await own.getByLabel('Devices per key').fill('two');
    await own.getByRole('button', { name: 'Save' }).click();
    await own.getByText('The number of devices must be from 1 to 1,000.').waitFor();
    await own.getByLabel('Devices per key').fill('2');
    await own.getByRole('button', { name: 'Save' }).click();
    await own.getByText('The license keys were saved.').waitFor();
    const field = own.getByLabel('Your keys');
    await field.fill('short');
    await own.getByRole('button', { name: 'Add keys' }).click();
    await own.getByText('This one does not: “short”.').waitFor();
    await field.fill('STUDIO-2026-0001\nSTUDIO-2026-0002\n');
    await own.getByRole('button', { name: 'Add keys' }).click();
    await own.getByText('2 keys were added.').waitFor();
    await field.fill('STUDIO-2026-0002\nSTUDIO-2026-0003\n');
    await own.getByRole('button', { name: 'Add keys' }).click();
    await own.getByText('1 key was added. 1 was already on the list.').waitFor();
    await own.getByRole('link', { name: 'Show unsold keys' }).click();
    await waitUntilAlive(own);
    await own.getByRole('button', { name: 'Remove: STUDIO-2026-0003' }).click();
    await own.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await own.getByText('STUDIO-2026-0003 was removed.').waitFor();
    await own.getByText('2 unsold keys').waitFor();
    await own.getByRole('link', { name: 'Show sold keys' }).click();
    await own.getByText('No keys sold yet.').waitFor();

    const page = await openPage(app);
    await page.goto(`/p/${id}`);
    await page.getByText('A license key').waitFor();
    await page.getByRole('button', { name: 'Unlock Now' }).click();
    await page.getByLabel('Card number').fill('4242 4242 4242 4242');
    await page.getByLabel('Expiry').fill('12 / 34');
    await page.getByLabel('CVC').fill('123');
    await page.getByLabel('Email').fill('buyer@example.com');
    await page.getByRole('button', { name: /^Pay/ }).click();
    await page.waitForURL(/\/success/);
    await page.goto(`/p/${id}`);
    await page.getByRole('heading', { name: 'Your license key' }).waitFor();
    await page.getByRole('code').getByText('STUDIO-2026-0001').waitFor();
    await page.getByText('Active on 0 of 2 devices').waitFor();
    await page.getByRole('button', { name: 'Copy STUDIO-2026-0001' }).click();
    await page.getByRole('button', { name: 'Copied STUDIO-2026-0001' }).waitFor();

    const check = { link: id, key: 'STUDIO-2026-0001', activate: 'Laptop' };
    expect(await readJson(await postJson(seller, '/licenses/verify', check))).toMatchObject({
      valid: true,
      activations: 1,
    });
    await own.reload();
    await own.getByText('1 unsold key').waitFor();
    await own.getByText('Active on: Laptop').waitFor();
    await own.getByRole('button', { name: 'Clear devices: STUDIO-2026-0001' }).click();
    await own.getByRole('dialog').getByRole('button', { name: 'Clear devices' }).click();
    await own.getByText('The devices of STUDIO-2026-0001 were cleared.').waitFor();
    await own.getByRole('link', { name: 'Show unsold keys' }).click();
    await own.getByText('STUDIO-2026-0002').waitFor();
  });
});
