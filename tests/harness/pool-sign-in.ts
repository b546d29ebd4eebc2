import { randomBytes } from 'node:crypto';
import { createPerson, type Person, postJson, readJson } from './person.ts';
import type { PoolAccount, UserPool } from './user-pool.ts';

/** Asks the product for the address of the provider's sign-in page. */
export async function startSignIn(
  person: Person,
  { provider = 'oidc', callbackURL = '/dashboard' } = {},
): Promise<URL> {
  const answer = await postJson(person, '/api/auth/sign-in/social', { provider, callbackURL });
  return new URL((await readJson<{ url: string }>(answer)).url);
}

/** Signs in at the user pool. Returns the address of the product that the pool leads back to. */
export async function signInAtPool(authorize: URL, login: string): Promise<URL> {
  const browser = createPerson(authorize);
  const follow = async (address: URL, init?: RequestInit) => {
    const response = await browser.fetch(address.href, init);
    const location = response.headers.get('location');
    if (!location) throw new Error(`The pool answered ${response.status}.`);
    return new URL(location, authorize);
  };
  const form = await follow(authorize);
  const resume = await follow(form, { method: 'POST', body: new URLSearchParams({ login }) });
  return follow(resume);
}

/** An account of the pool, for which the claims are all it tells besides the subject. */
export function createPoolAccount(pool: UserPool, claims: PoolAccount = {}) {
  const login = randomBytes(6).toString('hex');
  const account = { email: `${login}@example.com`, email_verified: true, ...claims };
  pool.accounts.set(login, account);
  return { login, ...account };
}

/** The whole way: to the pool, in, and back. Returns where the product leads to in the end. */
export async function signInByPool(person: Person, login: string): Promise<string> {
  const callback = await signInAtPool(await startSignIn(person), login);
  return comeBack(person, callback);
}

export interface Attributes {
  email: string;
  'custom:first_name': string;
  sub: string;
}

/** The attributes of who is signed in. */
export async function readAttributes(person: Person): Promise<Attributes> {
  return readJson(await person.fetch('/api/user-attributes'));
}

/** Follows the pool back to the product. Returns where the product leads to. */
export async function comeBack(person: Person, callback: URL): Promise<string> {
  const response = await person.fetch(callback.href);
  const location = response.headers.get('location');
  if (response.status !== 302 || !location) throw new Error(`It answered ${response.status}.`);
  const { pathname, search } = new URL(location, person.origin);
  return pathname + search;
}
