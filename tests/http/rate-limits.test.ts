import { randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { LIMITS, type LimitName } from '../../server/edge/http/rate-limits.ts';
import { postForm } from '../factories/cart-steps.ts';
import {
  announceUpload,
  askGraphql,
  graphql,
  publishableKey,
  sellFile,
  signUp,
  UPDATE_LINK,
} from '../factories/factories.ts';
import { createPerson, type Person, postJson } from '../harness/person.ts';
import { comeBack, startSignIn } from '../harness/pool-sign-in.ts';
import { startSocialProviders } from '../harness/social-providers.ts';
import { stopClock } from '../harness/stop-clock.ts';
import { useApp } from '../harness/use-app.ts';

const CREATE_DISCOUNT = 'mutation ($input: CreateDiscountInput!) { createDiscount(input: $input) }';

const pointsOf = (name: LimitName) => LIMITS[name][0]?.[0] ?? 0;

const providers = await startSocialProviders();
afterAll(() => providers.stop());

describe('rate limits', () => {
  const lines: string[] = [];
  const app = useApp({
    env: { TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'warn', ...providers.env },
    overrides: { logTo: { write: (line) => lines.push(line) } },
  });
  let seller: Awaited<ReturnType<typeof signUp>>;
  let link: { id: string };

  /** The person at another network address. */
  const at = (address: string, person: Person = createPerson(app)): Person => ({
    ...person,
    fetch(path, init = {}) {
      const headers = new Headers(init.headers);
      headers.set('x-forwarded-for', address);
      return person.fetch(path, { ...init, headers });
    },
  });
  const checkOut = (person: Person, paywallId = link.id) =>
    postJson(person, '/prod/checkout', { paywallId });
  const signIn = (email: string, password: string) =>
    postJson(createPerson(app), '/api/auth/sign-in/email', { email, password });

  beforeAll(async () => {
    seller = await signUp(app);
    link = await sellFile(seller);
  });
  beforeEach(stopClock);

  /** Does something so often at once, and returns how often it had to wait. */
  async function repeat(times: number, attempt: () => Promise<Response>): Promise<number> {
    const answers = await Promise.all(Array.from({ length: times }, attempt));
    const refused = answers.filter(({ status }) => status === 429);
    for (const { headers } of refused)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    return refused.length;
  }

  test('a visitor gets 6 checkouts a minute, and others are not held up by it', async () => {
    const visitor = createPerson(app);
    for (let count = 0; count < 6; count++) {
      expect((await checkOut(visitor)).status).toBe(200);
    }
    expect((await checkOut(at('203.0.113.1', visitor))).status).toBe(429);
    expect((await checkOut(createPerson(app))).status).toBe(200);
  });

  test('checkouts of visitors who keep no cookie are counted by network address', async () => {
    const points = pointsOf('checkoutsOfAddress');
    const attempt = (address: string) => () => checkOut(at(address), 'ffffffff');
    expect(await repeat(points + 3, attempt('203.0.113.2'))).toBe(3);
    expect(await repeat(1, attempt('203.0.113.3'))).toBe(0);
  });

  test('20 wrong passwords at once are counted as 20', async () => {
    const { email } = await signUp(app);
    expect(await repeat(20, () => signIn(email, 'Wrong-horse-7'))).toBe(15);
  });

  test('account requests are counted by network address, of which a classroom shares one', async () => {
    const points = pointsOf('accountRequests');
    const body = { provider: 'nobody' };
    const attempt = (address: string) => () =>
      postJson(at(address), '/api/auth/sign-in/social', body);
    expect(await repeat(points + 2, attempt('203.0.113.4'))).toBe(2);
    expect(await repeat(1, attempt('203.0.113.5'))).toBe(0);
    const wrong = { email: 'pupil@example.com', password: 'Wrong-horse-7' };
    expect((await postJson(at('203.0.113.4'), '/api/auth/sign-in/email', wrong)).status).toBe(429);
  });

  test('ways back from a provider are account requests: beyond them it is not asked, nobody is told as failing, and the page knows where to go on', async () => {
    const before = lines.length;
    const signIn = async (address: string) => {
      const person = at(address);
      const callbackURL = '/explore';
      const authorize = await startSignIn(person, { provider: 'github', callbackURL });
      const account = { id: randomInt(1, 2 ** 31), email: `${randomUUID()}@example.com` };
      const rest = { name: 'Ada', verified: true, publicEmail: true };
      return { person, callback: providers.consent(authorize, { ...account, ...rest }) };
    };
    const { person, callback } = await signIn('203.0.113.10');
    const begin = () =>
      postJson(at('203.0.113.10'), '/api/auth/sign-in/social', { provider: 'nobody' });
    expect(await repeat(pointsOf('accountRequests') - 1, begin)).toBe(0);
    expect(await comeBack(person, callback)).toBe('/login?next=%2Fexplore&error=too_many_sign_ins');
    const since = lines.slice(before);
    expect(since.filter((line) => line.includes('a sign-in failed'))).toEqual([]);
    const other = await signIn('203.0.113.11');
    expect(await comeBack(other.person, other.callback)).toBe('/explore');
  });

  test('uploads are counted by account, whatever its address', async () => {
    const points = pointsOf('uploads');
    const creator = await signUp(app);
    const attempt = (person: Person) => () => announceUpload(person, { name: 'a.txt', size: 1 });
    expect(await repeat(points, attempt(creator))).toBe(0);
    expect(await repeat(1, attempt(at('203.0.113.6', creator)))).toBe(1);
    expect(await repeat(1, attempt(seller))).toBe(0);
  });

  test('deleted files and changed links are counted as writes of an account, whatever its address', async () => {
    const points = pointsOf('writes');
    const creator = await signUp(app);
    const attempt = (person: Person) => () =>
      person.fetch(`/storage?key=${randomUUID()}`, { method: 'DELETE' });
    expect(await repeat(points + 1, attempt(at('203.0.113.7', creator)))).toBe(1);
    const input = { id: link.id, price: 700 };
    const codeOf = async (person: Person) =>
      (await askGraphql(person, UPDATE_LINK, { input })).errors?.[0]?.extensions?.code;
    expect(await codeOf(creator)).toBe('RATE_LIMITED');
    expect(await codeOf(seller)).toBeUndefined();
  });

  describe('discount codes that do not exist', () => {
    type Outcome = 'right' | 'wrong' | 'too many';
    const OUTCOMES: Record<number, Outcome> = {
      200: 'right',
      303: 'right',
      409: 'wrong',
      429: 'too many',
    };
    const DISCOUNT =
      'query ($id: ID!, $code: String) { getPaywallLink(id: $id) { discount(code: $code) { refusal } } }';

    async function onPage(person: Person, code: string, id = link.id): Promise<Outcome> {
      type Seen = { getPaywallLink: { discount: { refusal: string | null } } };
      const variables = { id, code };
      const seen = await graphql<Seen>(person, DISCOUNT, variables, await publishableKey(app));
      const { refusal } = seen.getPaywallLink.discount;
      if (refusal === null) return 'right';
      return refusal.startsWith('Too many attempts.') ? 'too many' : 'wrong';
    }
    async function forCart(person: Person, code: string): Promise<Outcome | undefined> {
      const added = await postForm(person, '/cart/add', { paywallId: link.id, code });
      return OUTCOMES[added.status];
    }
    async function atCheckout(person: Person, code: string): Promise<Outcome | undefined> {
      const begun = await postJson(person, '/prod/checkout', { paywallId: link.id, code });
      return OUTCOMES[begun.status];
    }

    beforeAll(async () => {
      const input = { code: 'RIGHT-1', percent: 10 };
      await graphql(seller, CREATE_DISCOUNT, { input });
    });

    test('are counted together, wherever a visitor types them, and right ones are not', async () => {
      const visitor = at('203.0.113.12');
      for (let count = 0; count < 12; count += 1) {
        expect(await forCart(visitor, 'right-1')).toBe('right');
      }
      for (let count = 0; count < 3; count += 1) {
        expect(await onPage(visitor, `none-${count}`)).toBe('wrong');
        expect(await atCheckout(visitor, `none-${count}`)).toBe('wrong');
      }
      // The page that says so looks the code up as well.
      expect(await forCart(visitor, 'none')).toBe('wrong');
      expect(await forCart(visitor, 'none')).toBe('wrong');
      const moved = at('203.0.113.13', visitor);
      // That a code is right is not told either.
      expect(await onPage(moved, 'RIGHT-1')).toBe('too many');
      expect(await forCart(moved, 'RIGHT-1')).toBe('too many');
      expect(await atCheckout(moved, 'RIGHT-1')).toBe('too many');
      expect(await atCheckout(at('203.0.113.13'), 'RIGHT-1')).toBe('right');
    });

    test('are counted by network address and by link, of visitors who keep no cookie', async () => {
      const ofAddress = pointsOf('discountGuessesOfAddress');
      const alone = await Promise.all(
        Array.from({ length: ofAddress + 3 }, () => onPage(at('203.0.113.14'), 'none')),
      );
      expect(alone.filter((outcome) => outcome === 'too many')).toHaveLength(3);
      expect(await onPage(at('203.0.113.14'), 'RIGHT-1')).toBe('too many');
      const { id } = await sellFile(seller);
      const ofLink = pointsOf('discountGuessesOfLink');
      const guessed = await Promise.all(
        Array.from({ length: ofLink + 2 }, (_, number) =>
          onPage(at(`198.18.${number % 20}.1`), 'none', id),
        ),
      );
      expect(guessed.filter((outcome) => outcome === 'too many')).toHaveLength(2);
      expect(await onPage(at('203.0.113.15'), 'RIGHT-1', id)).toBe('too many');
      expect(await onPage(at('203.0.113.15'), 'RIGHT-1')).toBe('right');
    });
  });

  test('a client is its address, whichever port and brackets a proxy names with it', async () => {
    const points = pointsOf('receiptsAsked');
    const key = await publishableKey(app);
    for (const name of [
      (port: number) => `203.0.113.30:${port}`,
      (port: number) => `[2001:db8:30::1]:${port}`,
      (port: number) => `198.51.100.30:${port}, 127.0.0.1`,
    ]) {
      const answers = await Promise.all(
        Array.from({ length: points + 2 }, async (_, number) => {
          const query = 'mutation { resendReceipt(sessionId: "none") }';
          // As a program, whose posts are answered before they are routed.
          const answer = await fetch(`${app.origin}/graphql`, {
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              ...key,
              'x-forwarded-for': name(1_024 + number),
            },
            body: JSON.stringify({ query }),
          });
          const { errors } = (await answer.json()) as {
            errors?: { extensions: { code: string } }[];
          };
          return errors?.[0]?.extensions.code;
        }),
      );
      expect(answers.filter((code) => code === 'RATE_LIMITED')).toHaveLength(2);
    }
  });

  test('receipts are asked for by network address, made-up ones included', async () => {
    const points = pointsOf('receiptsAsked');
    const key = await publishableKey(app);
    const ask = async (address: string) => {
      const query = 'mutation ($id: ID!) { resendReceipt(sessionId: $id) }';
      const id = 'x'.repeat(10_000) + randomUUID();
      const { errors } = await askGraphql(at(address), query, { id }, key);
      return errors?.[0]?.extensions?.code;
    };
    const answers = await Promise.all(Array.from({ length: points + 2 }, () => ask('203.0.113.8')));
    expect(answers.filter((code) => code === 'RATE_LIMITED')).toHaveLength(2);
    expect(await ask('203.0.113.9')).toBeUndefined();
  });
});
