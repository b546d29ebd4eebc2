import { randomBytes } from 'node:crypto';
import { signUp } from '../../tests/factories.ts';
import { compare } from '../compare.ts';
import { openFolder } from '../open-folder.ts';
import type { Row } from '../row.ts';
import { startPadlink } from '../start-padlink.ts';

/** Few enough to be signed up within a minute's limit of one network address. */
const ACCOUNTS = 36;
/** Asks each account four times in all: one more would be one too many for the limits. */
const REQUESTS_PER_ROUND = 24;

/** How long a stranger waits for an answer about an address with an account, and without one. */
export async function accounts(): Promise<Row[]> {
  using folder = openFolder();
  await using padlink = await startPadlink(folder.path, { TRUSTED_PROXIES: '127.0.0.1' });
  const emails: string[] = [];
  for (let number = 0; number < ACCOUNTS; number++) emails.push((await signUp(padlink)).email);
  let visitors = 0;

  async function ask(path: string, body: object, expected: number): Promise<void> {
    visitors += 1;
    const visitor = `10.0.${Math.floor(visitors / 250)}.${(visitors % 250) + 1}`;
    const response = await fetch(`${padlink.origin}/api/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': visitor },
      body: JSON.stringify(body),
    });
    await response.text();
    if (response.status !== expected) throw new Error(`${path} answered ${response.status}`);
  }

  async function measure(path: string, bodyOf: (email: string) => object, expected: number) {
    let asked = 0;
    const askAbout = (nextEmail: () => string) => ({
      pid: null,
      async work() {
        for (let request = 0; request < REQUESTS_PER_ROUND; request++) {
          await ask(path, bodyOf(nextEmail()), expected);
        }
        return REQUESTS_PER_ROUND;
      },
    });
    const known = askAbout(() => emails[asked++ % ACCOUNTS] ?? '');
    const unknown = askAbout(() => `${randomBytes(6).toString('hex')}@example.com`);
    const compared = await compare(known, unknown);
    // Either being quicker would tell: the ratio is that of the slower to the quicker one.
    return { ...compared, ratio: Math.min(compared.ratio, 1 / compared.ratio) };
  }

  const rest = { unit: 'requests/s', against: 'unknown address', target: 0.8 } as const;
  return [
    {
      name: 'Sign-in with a wrong password, known address',
      ...rest,
      ...(await measure('sign-in/email', (email) => ({ email, password: 'Wrong-horse-7' }), 401)),
    },
    {
      name: 'Password reset asked for, known address',
      ...rest,
      ...(await measure('email-otp/request-password-reset', (email) => ({ email }), 200)),
    },
  ];
}
