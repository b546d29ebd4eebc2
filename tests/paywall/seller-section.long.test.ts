import { describe, expect, test } from 'vitest';
import { signUp } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import { useApp } from '../harness/use-app.ts';
import { expectFocus, waitUntilAlive } from '../journeys/steps.ts';

describe('the seller name on the account page', () => {
  const app = useApp();

  test('is a section of its own that saves, refuses and takes back the name', async () => {
    const page = await openPage(app, { as: await signUp(app) });
    await page.goto('/account');
    await waitUntilAlive(page);
    const section = page.getByRole('region', { name: 'Seller name', exact: true });
    await section.getByText('Shown to buyers on your links.').waitFor();
    const field = section.getByLabel('Seller name');
    const save = section.getByRole('button', { name: 'Save seller name' });
    await field.fill('Zoë’s Study Packs');
    await save.click();
    await section.getByRole('status').getByText('Buyers see “by Zoë’s Study Packs”.').waitFor();
    await field.fill('turned \u202e round');
    await save.click();
    await section.getByRole('alert').getByText('line breaks or invisible').waitFor();
    await expectFocus(field);
    await page.reload();
    await waitUntilAlive(page);
    expect(await field.inputValue()).toBe('Zoë’s Study Packs');
    await field.fill('');
    await save.click();
    await section.getByText('Saved. Your links no longer show a seller name.').waitFor();
  });
});
