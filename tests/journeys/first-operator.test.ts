import { describe, expect, test } from 'vitest';
import { PASSWORD, readCode, readMail } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import { runCli } from '../harness/run-command.ts';
import { useApp } from '../harness/use-app.ts';

describe('a new site', () => {
  const app = useApp();

  test('is four presses from its first address to the first invitation', async () => {
    const { stdout } = await runCli(app.env, 'operator', 'invite');
    const page = await openPage(app);
    await page.goto(/\/operator\/welcome\S+/.exec(stdout)?.[0] ?? '');
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await press('Continue as operator');
    await page.getByLabel('First Name').fill('Olga');
    await page.getByLabel('Email').fill('olga@example.com');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Confirm Password').fill(PASSWORD);
    await press('Create account');
    await page.getByLabel('Code').waitFor();
    await page.getByLabel('Code').fill(await readCode(app, 'olga@example.com'));
    await press('Confirm');
    await page.waitForURL('/operator');
    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.getByLabel('Email address to invite').fill('ada@example.com');
    expect(await steps.getByText('Done').count()).toBe(0);
    await press('Invite');
    await page.getByText('The invitation is on its way.').waitFor();
    const first = steps.getByRole('listitem').filter({ hasText: 'Invite your first seller' });
    await first.getByText('Done').waitFor();
    expect(await steps.getByLabel('Email address to invite').count()).toBe(0);
    expect((await readMail(app, 'ada@example.com')).text).toContain('/invitations/');
  });
});
