import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { type Forgery, startForgingPool } from '../harness/forging-pool.ts';
import { createPerson } from '../harness/person.ts';
import { comeBack, startSignIn } from '../harness/pool-sign-in.ts';
import { useApp } from '../harness/use-app.ts';

const pool = await startForgingPool();
afterAll(() => pool.stop());

describe('an ID token', () => {
  const app = useApp({
    env: {
      OIDC_ISSUER: pool.issuer,
      OIDC_CLIENT_ID: pool.clientId,
      OIDC_CLIENT_SECRET: 'secret',
    },
  });

  /** Signs somebody new in with this token. Returns where the product leads to. */
  async function signInWith(forgery: Forgery): Promise<string> {
    const person = createPerson(app);
    const { searchParams } = await startSignIn(person);
    const sub = randomBytes(6).toString('hex');
    const email = `${sub}@example.com`;
    const nonce = searchParams.get('nonce');
    const honest = { sub, email, email_verified: true, given_name: 'Ada', nonce };
    pool.answerWith(honest, forgery);
    const callback = new URL('/api/auth/callback/oidc?code=any', app.origin);
    callback.searchParams.set('state', searchParams.get('state') ?? '');
    return comeBack(person, callback);
  }

  test('of the pool, for this product and this sign-in, is taken', async () => {
    expect(await signInWith({})).toBe('/dashboard');
  });

  test.each<[string, Forgery]>([
    ['of another issuer', { claims: { iss: 'https://id.example.com' } }],
    ['for another client', { claims: { aud: 'another' } }],
    ['without an audience', { claims: { aud: undefined } }],
    ['that has expired', { claims: { exp: 1_700_000_000 } }],
    ['for another sign-in', { claims: { nonce: 'another' } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['signed by another key', { strangeKey: true }],
    ['signed by nobody', { algorithm: 'none' }],
    ['that is missing', { withoutIdToken: true }],
    ['without a subject', { claims: { sub: undefined } }],
    ['beside which another person is told of', { claims: { email: undefined } }],
  ])('%s is refused', async (_which, forgery) => {
    expect(await signInWith(forgery)).toBe(
      '/login?next=%2Fdashboard&error=unable_to_get_user_info',
    );
  });

  test.each([
    ['true', '/dashboard'],
    ['false', '/login?next=%2Fdashboard&error=email_not_verified'],
    ['yes', '/login?next=%2Fdashboard&error=email_not_verified'],
    [1, '/login?next=%2Fdashboard&error=email_not_verified'],
  ])('that states a verified address by %j leads to %s', async (stated, address) => {
    const path = await signInWith({ claims: { email_verified: stated } });
    expect(path.startsWith(address)).toBe(true);
  });
});
