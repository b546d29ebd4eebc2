import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPage } from '../harness/browser.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { createPoolAccount, signInByPool } from '../harness/pool-sign-in.ts';
import { useApp } from '../harness/use-app.ts';
import { startUserPool } from '../harness/user-pool.ts';

const pool = await startUserPool();
afterAll(() => pool.stop());

describe.each(['light', 'dark'] as const)('the login page with a pool, %s', (colorScheme) => {
  const app = useApp({ env: pool.env });
  let nameless: Person;

  beforeAll(async () => {
    nameless = createPerson(app);
    await signInByPool(nameless, createPoolAccount(pool).login);
  });

  test.each([
    ['its button', '/login', false],
    ['an error', '/login?error=access_denied', false],
    ['the question for the first name', '/login', true],
  ])('has no accessibility violations with %s', async (_what, path, signedIn) => {
    const page = await openPage(app, {
      as: signedIn ? nameless : undefined,
      viewport: { width: 375, height: 800 },
      context: { colorScheme, reducedMotion: 'reduce' },
    });
    await page.goto(path);
    await page
      .getByRole('button', { name: signedIn ? 'Continue' : 'Sign in with your organization' })
      .waitFor();
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  });
});
