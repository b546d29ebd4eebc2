import { beforeAll, describe, expect, test } from 'vitest';
import { PASSWORD, sellFile, signUp } from './factories.ts';
import { createPerson, type Person, postJson } from './person.ts';
import { useApp } from './use-app.ts';

function expectToWait(response: Response): void {
  expect(response.status).toBe(429);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
}

describe('rate limits', () => {
  const app = useApp();
  let seller: Awaited<ReturnType<typeof signUp>>;
  let link: { id: string };

  const checkOut = (person: Person, paywallId: string) =>
    postJson(person, '/prod/checkout', { paywallId });
  const signIn = (email: string, password: string) =>
    postJson(createPerson(app), '/api/auth/sign-in/email', { email, password });

  beforeAll(async () => {
    seller = await signUp(app);
    link = await sellFile(seller);
  });

  test('a visitor gets 6 checkouts a minute, and others are not held up by it', async () => {
    const visitor = createPerson(app);
    for (let count = 0; count < 6; count++) {
      expect((await checkOut(visitor, link.id)).status).toBe(200);
    }
    expectToWait(await checkOut(visitor, link.id));
    expect((await checkOut(createPerson(app), link.id)).status).toBe(200);
  });

  test('an account gets 5 wrong passwords a minute, then not even the right one', async () => {
    const { email } = await signUp(app);
    for (let count = 0; count < 5; count++) {
      expect((await signIn(email, 'Wrong-horse-7')).status).toBe(401);
    }
    expectToWait(await signIn(email, PASSWORD));
    expect((await signIn(seller.email, PASSWORD)).status).toBe(200);
  });

  test('5 wrong passwords at once are counted as 5', async () => {
    const { email } = await signUp(app);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => signIn(email, 'Wrong-horse-7')),
    );
    expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(5);
  });
});

describe('a classroom behind one address', () => {
  const app = useApp();

  test('may make 60 requests to sign in within a minute', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, number) => {
        const account = { email: `pupil${number}@example.com`, password: PASSWORD };
        return postJson(createPerson(app), '/api/auth/sign-in/email', account);
      }),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
  });
});
