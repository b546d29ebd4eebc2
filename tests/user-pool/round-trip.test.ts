import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, test } from 'vitest';
import { later } from '../harness/later.ts';
import { createPerson, type Person } from '../harness/person.ts';
import {
  comeBack,
  createPoolAccount,
  signInAtPool,
  signInByPool,
  startSignIn,
} from '../harness/pool-sign-in.ts';
import { useApp } from '../harness/use-app.ts';
import { startUserPool } from '../harness/user-pool.ts';

const pool = await startUserPool();
afterAll(() => pool.stop());

describe('the round trip to a user pool', () => {
  const app = useApp({ env: pool.env });
  const { login } = createPoolAccount(pool, { 'custom:first_name': 'Ada' });

  async function expectSignedOut(person: Person): Promise<void> {
    expect((await person.fetch('/api/user-attributes')).status).toBe(401);
  }

  test('asks with PKCE, a state and a nonce, to come back to the address that is registered', async () => {
    const [first, second] = await Promise.all([
      startSignIn(createPerson(app)),
      startSignIn(createPerson(app)),
    ]);
    expect(first.origin).toBe(pool.issuer);
    const asked = Object.fromEntries(first.searchParams);
    expect(asked).toMatchObject({
      response_type: 'code',
      client_id: 'padlink',
      redirect_uri: `${app.origin}/api/auth/callback/oidc`,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(asked.scope?.split(' ').sort()).toEqual(['email', 'openid', 'profile']);
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(asked[name]).toMatch(/^[\w-]{32,}$/);
      expect(asked[name]).not.toBe(second.searchParams.get(name));
    }
  });

  test('ends without a session when the state was changed on the way', async () => {
    const person = createPerson(app);
    const callback = await signInAtPool(await startSignIn(person), login);
    callback.searchParams.set('state', `${callback.searchParams.get('state')}x`);
    expect(await comeBack(person, callback)).toBe('/login?next=%2Fdashboard&error=state_mismatch');
    await expectSignedOut(person);
  });

  test('ends without a session in a browser that did not begin it', async () => {
    const callback = await signInAtPool(await startSignIn(createPerson(app)), login);
    const victim = createPerson(app);
    expect(await comeBack(victim, callback)).toMatch(/^\/login\?.*error=state_mismatch$/);
    await expectSignedOut(victim);
  });

  test('ends without a session when the token was made for another sign-in', async () => {
    const person = createPerson(app);
    const authorize = await startSignIn(person);
    authorize.searchParams.set('nonce', 'of-another-sign-in');
    const callback = await signInAtPool(authorize, login);
    expect(await comeBack(person, callback)).toMatch(/error=unable_to_get_user_info$/);
    await expectSignedOut(person);
  });

  test('ends without a session when it took longer than its state lives', async () => {
    const person = createPerson(app);
    const callback = await signInAtPool(await startSignIn(person), login);
    const back = await later(11 * 60_000, () => comeBack(person, callback));
    expect(back).toMatch(/^\/login\?.*error=state_mismatch$/);
    await expectSignedOut(person);
  });

  test('works once: the same answer of the pool is not taken again', async () => {
    const person = createPerson(app);
    const callback = await signInAtPool(await startSignIn(person), login);
    expect(await comeBack(person, callback)).toBe('/dashboard');
    const again = createPerson(app);
    expect(await comeBack(again, callback)).toBe('/login?error=state_mismatch');
    await expectSignedOut(again);
  });

  test('leaves none of the tokens that would open the pool behind', async () => {
    await signInByPool(createPerson(app), login);
    const db = new DatabaseSync(join(app.dataDir, 'padlink.sqlite'), { readOnly: true });
    const kept = db.prepare('select "accessToken", "refreshToken" from account').all();
    db.close();
    expect(kept.length).toBeGreaterThan(0);
    for (const tokens of kept) expect(tokens).toEqual({ accessToken: null, refreshToken: null });
  });

  test('never leads to another site in the end', async () => {
    const person = createPerson(app);
    for (const callbackURL of ['https://evil.example/', '//evil.example', '/\\evil.example']) {
      await expect(startSignIn(person, { callbackURL })).rejects.toThrow(/ 403: /);
    }
  });

  test('leads a provider that is not set up, and one that gives no code, back to the login page', async () => {
    const person = createPerson(app);
    await expect(startSignIn(person, { provider: 'google' })).rejects.toThrow(
      / 404: .*This way to sign in is not available here\./,
    );
    const back = (path: string) => comeBack(person, new URL(path, app.origin));
    expect(await back('/api/auth/callback/google?code=a&state=b')).toMatch(/^\/login\?error=/);
    expect(await back('/api/auth/callback/oidc')).toMatch(/^\/login\?error=/);
    const { searchParams } = await startSignIn(person);
    expect(await back(`/api/auth/callback/oidc?state=${searchParams.get('state')}`)).toBe(
      '/login?next=%2Fdashboard&error=no_code',
    );
  });
});
