import { afterAll, describe, expect, test } from 'vitest';
import { auth } from '../factories/account-requests.ts';
import { PASSWORD, readMail } from '../factories/factories.ts';
import { signUpWithTwoFactor } from '../factories/two-factor.ts';
import { openPage } from '../harness/browser.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, readJson } from '../harness/person.ts';
import { createPoolAccount, readAttributes, signInByPool } from '../harness/pool-sign-in.ts';
import { useApp } from '../harness/use-app.ts';
import { startUserPool } from '../harness/user-pool.ts';

const pool = await startUserPool();
afterAll(() => pool.stop());

describeOnSqliteFirst('two-factor sign-in beside a user pool', (database) => {
  const app = useApp({ database, env: pool.env });

  test('keeps out an account of the pool that its owner has not joined before', {
    tags: 'long',
  }, async () => {
    const { owner } = await signUpWithTwoFactor(app);
    const { login } = createPoolAccount(pool, { email: owner.email });
    const stranger = createPerson(app);
    expect(await signInByPool(stranger, login)).toMatch(
      '/login?next=%2Fdashboard&error=two_factor_on',
    );
    expect((await stranger.fetch('/api/user-attributes')).status).toBe(401);

    await readJson(await auth(owner, 'two-factor/disable', { password: PASSWORD }));
    await readMail(app, owner.email, /Two-factor sign-in was turned off/);
    expect(await signInByPool(stranger, login)).toBe('/dashboard');
    expect(await readAttributes(stranger)).toEqual(await readAttributes(owner));
  });
});

describe('the login page after the pool led back', () => {
  const app = useApp({ env: pool.env });

  test('says that two-factor sign-in keeps the way by the pool shut', async () => {
    const page = await openPage(app);
    await page.goto('/login?next=%2Fdashboard&error=two_factor_on');
    const message =
      'Two-factor sign-in protects the account with this address. Sign in with your password or a passkey.';
    await page.getByText(message).waitFor();
    await page.getByLabel('Password').waitFor();
  });
});
