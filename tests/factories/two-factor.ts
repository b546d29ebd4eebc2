import { showCode } from '../harness/authenticator-app.ts';
import { type Person, readJson } from '../harness/person.ts';
import { auth } from './account-requests.ts';
import { PASSWORD, signUp } from './factories.ts';

interface SetUp {
  totpURI: string;
  qrCode: string;
  backupCodes: string[];
}

export const enterCode = (person: Person, code: string) =>
  auth(person, 'two-factor/verify-totp', { code });

/** Begins to set two-factor sign-in up; `key` is the authenticator's. */
export async function setUpTwoFactor(person: Person) {
  const answer = await auth(person, 'two-factor/enable', { password: PASSWORD });
  const made = await readJson<SetUp>(answer);
  return { ...made, key: new URL(made.totpURI).searchParams.get('secret') ?? '' };
}

/** A new account with two-factor sign-in, and the code that its confirmation spent. */
export async function signUpWithTwoFactor(app: { origin: string }) {
  const owner = await signUp(app);
  const made = await setUpTwoFactor(owner);
  const spent = showCode(made.key);
  await readJson(await enterCode(owner, spent));
  return { owner, spent, ...made };
}
