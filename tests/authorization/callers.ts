import { askGraphql, publishableKey, signIn, signUp } from '../factories/factories.ts';
import { createSecretKey, programWith, SERVICE_KEY } from '../factories/secret-key.ts';
import { createPerson, type Person, readJson } from '../harness/person.ts';

/** The columns of the matrix. */
export const CALLERS = [
  'no key',
  'publishable key',
  'wrong key',
  "owner's secret key",
  "owner's key to read",
  "owner's key to refund",
  "other creator's secret key",
  'service key',
  "other creator's session",
  "owner's session",
  'guest who bought',
  'signed-in buyer',
] as const;

export type CallerName = (typeof CALLERS)[number];

export type Caller = {
  person: Person;
  /** The keys as a live connection sends them. */
  keys: Record<string, string>;
};

export type People = {
  callers: Record<CallerName, Caller>;
  owner: Person;
  ownerId: string;
  guest: Person;
  /** The buyer's browser at the time of buying; the caller has signed in anew and has no claim. */
  buyer: Person;
  emails: Record<'owner' | 'other' | 'buyer', string>;
};

export async function gatherCallers(app: { origin: string }): Promise<People> {
  const owner = await signUp(app);
  const other = await signUp(app);
  const buyer = await signUp(app);
  const again = createPerson(app);
  await signIn(again, buyer.email);
  const guest = createPerson(app);
  const pageKey = (await publishableKey(app))['x-api-key'];
  const byKey = (key: string) => ({ person: programWith(app, key), keys: { 'x-api-key': key } });
  /** As pages ask: with the cookies and the publishable key. */
  const byPage = (person: Person) => ({
    person: programWith(app, pageKey, person),
    keys: { 'x-api-key': pageKey },
  });
  const { sub } = await readJson<{ sub: string }>(await owner.fetch('/api/user-attributes'));
  return {
    callers: {
      'no key': { person: createPerson(app), keys: {} },
      'publishable key': byPage(createPerson(app)),
      'wrong key': byKey('sk_padlink_wrong'),
      "owner's secret key": byKey((await createSecretKey(owner)).secret),
      "owner's key to read": byKey((await createSecretKey(owner, 'Read', ['read'])).secret),
      "owner's key to refund": byKey((await createSecretKey(owner, 'Refund', ['refund'])).secret),
      "other creator's secret key": byKey(
        (await createSecretKey(other, 'All', ['read', 'sell', 'refund'])).secret,
      ),
      'service key': byKey(SERVICE_KEY),
      "other creator's session": byPage(other),
      "owner's session": byPage(owner),
      'guest who bought': byPage(guest),
      'signed-in buyer': byPage(again),
    },
    owner,
    ownerId: sub,
    guest,
    buyer,
    emails: { owner: owner.email, other: other.email, buyer: buyer.email },
  };
}

/** The code of the first error of a GraphQL answer, or null. */
export async function refusalOf(
  person: Person,
  query: string,
  variables: Record<string, unknown>,
): Promise<string | null> {
  const { errors } = await askGraphql(person, query, variables);
  return errors?.[0] ? (errors[0].extensions?.code ?? 'without a code') : null;
}
