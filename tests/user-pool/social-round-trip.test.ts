import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { PASSWORD, readCode, signIn, signUp } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person, postJson, readJson } from '../harness/person.ts';
import { comeBack, readAttributes, startSignIn } from '../harness/pool-sign-in.ts';
import {
  type SocialAccount,
  type SocialProvider,
  startSocialProviders,
} from '../harness/social-providers.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const providers = await startSocialProviders();
afterAll(() => providers.stop());

const PROVIDERS: SocialProvider[] = ['google', 'github'];
const NOT_VERIFIED = '/login?next=%2Fdashboard&error=email_not_verified';

function createAccount(account: Partial<SocialAccount> = {}): SocialAccount {
  const id = randomInt(1, 2 ** 31);
  const email = `${id}@example.com`;
  return { id, name: 'Ada Lovelace', email, verified: true, publicEmail: false, ...account };
}

/** The whole way: to the provider, in, and back. Returns where the product leads to in the end. */
async function signInBy(person: Person, provider: SocialProvider, account: SocialAccount) {
  const authorize = await startSignIn(person, { provider });
  return comeBack(person, providers.consent(authorize, account));
}

describeOnSqliteFirst('social sign-in', (database) => {
  const app = useApp({ database, env: providers.env });

  type Row = Record<string, unknown>;
  const readTable = (table: string) =>
    withDatabase(
      app,
      async (db) => (await sql<Row>`select * from ${sql.table(table)}`.execute(db)).rows,
    );

  /** What is kept of the account at the provider. */
  async function readKept({ id }: SocialAccount): Promise<Row[]> {
    return (await readTable('account')).filter(({ accountId }) => accountId === String(id));
  }

  async function expectSignedOut(person: Person): Promise<void> {
    expect((await person.fetch('/api/user-attributes')).status).toBe(401);
  }

  test.each(PROVIDERS)(
    'by %s brings first name and address, and leads to the same account the next time',
    async (provider) => {
      const account = createAccount();
      const person = createPerson(app);
      expect(await signInBy(person, provider, account)).toBe('/dashboard');
      const attributes = await readAttributes(person);
      expect(attributes).toMatchObject({ email: account.email, 'custom:first_name': 'Ada' });
      expect((await person.fetch('/dashboard')).status).toBe(200);
      const later = createPerson(app);
      expect(await signInBy(later, provider, account)).toBe('/dashboard');
      expect(await readAttributes(later)).toEqual(attributes);
    },
  );

  test.each(PROVIDERS)('by %s without a name asks for the first name', async (provider) => {
    const person = createPerson(app);
    expect(await signInBy(person, provider, createAccount({ name: null }))).toBe('/dashboard');
    expect((await readAttributes(person))['custom:first_name']).toBe('');
    const dashboard = await person.fetch('/dashboard');
    expect(dashboard.headers.get('location')).toBe('/login?next=%2Fdashboard');
  });

  test('by github takes the address of a public profile as well', async () => {
    const account = createAccount({ publicEmail: true });
    const person = createPerson(app);
    expect(await signInBy(person, 'github', account)).toBe('/dashboard');
    expect((await readAttributes(person)).email).toBe(account.email);
  });

  test('by both providers joins the account that has proven the address, which keeps its password', async () => {
    const owner = await signUp(app, { firstName: 'Augusta' });
    for (const provider of PROVIDERS) {
      const person = createPerson(app);
      await signInBy(person, provider, createAccount({ email: owner.email.toUpperCase() }));
      expect(await readAttributes(person)).toEqual(await readAttributes(owner));
    }
    await signIn(createPerson(app), owner.email);
  });

  test.each(PROVIDERS)(
    'by %s with an unverified address neither joins nor makes an account',
    { tags: 'long' },
    async (provider) => {
      const owner = await signUp(app);
      for (const publicEmail of [true, false]) {
        for (const stated of [{ email: owner.email }, {}]) {
          const account = createAccount({ ...stated, verified: false, publicEmail });
          const person = createPerson(app);
          // The same answer for both: it does not tell which addresses have an account.
          expect(await signInBy(person, provider, account)).toMatch(NOT_VERIFIED);
          await expectSignedOut(person);
          expect(await readKept(account)).toEqual([]);
        }
      }
    },
  );

  test('by github is refused while its addresses are not told, public or not', async () => {
    providers.fail('addresses refused');
    onTestFinished(() => providers.fail('none'));
    const account = createAccount({ publicEmail: true });
    const person = createPerson(app);
    expect(await signInBy(person, 'github', account)).toMatch(NOT_VERIFIED);
    await expectSignedOut(person);
    expect(await signInBy(person, 'github', { ...account, publicEmail: false })).toBe(
      '/login?next=%2Fdashboard&error=email_not_found',
    );
    await expectSignedOut(person);
  });

  test.each(PROVIDERS)(
    'by %s ends an unconfirmed sign-up of its address, password and code included',
    async (provider) => {
      const account = createAccount();
      const { email } = account;
      const auth = (path: string, body: object) =>
        postJson(createPerson(app), `/api/auth/${path}`, body);
      const squatter = { email, password: PASSWORD, firstName: 'Eve' };
      await readJson(await auth('sign-up/email', squatter));
      const otp = await readCode(app, email);

      const owner = createPerson(app);
      expect(await signInBy(owner, provider, account)).toBe('/dashboard');
      expect(await readAttributes(owner)).toMatchObject({ email, 'custom:first_name': 'Ada' });
      expect((await auth('sign-in/email', squatter)).status).toBe(401);
      expect((await auth('email-otp/verify-email', { email, otp })).status).toBe(400);
    },
  );

  test.each(PROVIDERS)('by %s leaves none of its tokens behind', async (provider) => {
    const account = createAccount();
    for (let time = 0; time < 2; time += 1) await signInBy(createPerson(app), provider, account);
    const kept = await readKept(account);
    expect(kept).toMatchObject([
      { providerId: provider, accessToken: null, refreshToken: null, idToken: null },
    ]);
    for (const table of ['account', 'session', 'user', 'verification']) {
      const rows = JSON.stringify(await readTable(table));
      for (const token of providers.tokens) expect(rows.includes(token), table).toBe(false);
    }
  });

  test.each(PROVIDERS)(
    'by %s ends without a session when the code was given for another sign-in',
    async (provider) => {
      const [stranger, person] = [createPerson(app), createPerson(app)];
      const strange = providers.consent(await startSignIn(stranger, { provider }), createAccount());
      const callback = providers.consent(await startSignIn(person, { provider }), createAccount());
      callback.searchParams.set('code', strange.searchParams.get('code') ?? '');
      expect(await comeBack(person, callback)).toBe('/login?next=%2Fdashboard&error=invalid_code');
      await expectSignedOut(person);
    },
  );

  test('by github leads back to the login page when its profile cannot be had', async () => {
    providers.fail('profile down');
    onTestFinished(() => providers.fail('none'));
    const person = createPerson(app);
    expect(await signInBy(person, 'github', createAccount())).toBe(
      '/login?next=%2Fdashboard&error=unable_to_get_user_info',
    );
    await expectSignedOut(person);
  });
});

describe('the login page with social providers', () => {
  const app = useApp({ env: providers.env });

  test.each([
    ['Google', 'https://accounts.google.com/**'],
    ['GitHub', 'https://github.com/**'],
  ])(
    'leads to %s and back to the dashboard, which greets by first name',
    { tags: 'long' },
    async (name, address) => {
      const account = createAccount();
      const page = await openPage(app);
      await page.route(address, (route) => {
        const { href } = providers.consent(new URL(route.request().url()), account);
        const body = `<title>${name}</title><a href="${href.replaceAll('&', '&amp;')}">Allow</a>`;
        return route.fulfill({ contentType: 'text/html', body });
      });
      await page.goto('/login');
      await page.getByRole('button', { name: `Continue with ${name}` }).click();
      await page.getByRole('link', { name: 'Allow' }).click();
      await page.waitForURL(`${app.origin}/dashboard`);
      await page.getByRole('heading', { name: 'Welcome back, Ada' }).waitFor();
      await page.getByRole('button', { name: 'Sign Out' }).click();
      await page.waitForURL(`${app.origin}/`);
    },
  );

  test('asks who came from GitHub without a name for the first name', {
    tags: 'long',
  }, async () => {
    const page = await openPage(app);
    await page.route('https://github.com/**', (route) => {
      const url = new URL(route.request().url());
      const { href } = providers.consent(url, createAccount({ name: null }));
      return route.fulfill({ contentType: 'text/html', body: `<a href='${href}'>Allow</a>` });
    });
    await page.goto('/login');
    await page.getByRole('button', { name: 'Continue with GitHub' }).click();
    await page.getByRole('link', { name: 'Allow' }).click();
    await page.waitForURL(`${app.origin}/login?next=%2Fdashboard`);
    await page.getByLabel('First Name').fill('Grace');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Welcome back, Grace' }).waitFor();
  });
});
