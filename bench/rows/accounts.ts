import { randomBytes } from 'node:crypto';
import { PASSWORD, signUp } from '../../tests/factories/factories.ts';
import { compare } from '../compare.ts';
import { openFolder } from '../open-folder.ts';
import type { Row } from '../row.ts';
import { startPadlink } from '../start-padlink.ts';

/** Few enough to be signed up within a minute's limit of one network address. */
const ACCOUNTS = 36;
/** Asks each account four times in all: one more would be one too many for the limits. */
const REQUESTS_PER_ROUND = 24;

/** What a stranger asks about an address. */
interface Question {
  name: string;
  path: string;
  body(email: string): object;
  expected: number;
}

const SIGN_IN: Question = {
  name: 'Sign-in with a wrong password, known address',
  path: 'sign-in/email',
  body: (email) => ({ email, password: 'Wrong-horse-7' }),
  expected: 401,
};
const RESET: Question = {
  name: 'Password reset asked for, known address',
  path: 'email-otp/request-password-reset',
  body: (email) => ({ email }),
  expected: 200,
};
const SIGN_UP: Question = {
  name: 'Sign-up, known address',
  path: 'sign-up/email',
  body: (email) => ({ email, password: PASSWORD, firstName: 'Eve' }),
  expected: 200,
};

/** How long a stranger waits for an answer about an address with an account, and without one. */
export async function accounts(): Promise<Row[]> {
  // Both a reset and a sign-up mail the address, which may be mailed only so often.
  return [...(await measureAll([SIGN_IN, RESET])), ...(await measureAll([SIGN_UP]))];
}

/** Measures on accounts of their own. */
async function measureAll(questions: Question[]): Promise<Row[]> {
  using folder = openFolder();
  await using padlink = await startPadlink(folder.path, { TRUSTED_PROXIES: '127.0.0.1' });
  const emails: string[] = [];
  for (let number = 0; number < ACCOUNTS; number++) emails.push((await signUp(padlink)).email);
  let visitors = 0;

  async function ask({ path, body, expected }: Question, email: string): Promise<void> {
    visitors += 1;
    const visitor = `10.0.${Math.floor(visitors / 250)}.${(visitors % 250) + 1}`;
    const response = await fetch(`${padlink.origin}/api/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': visitor },
      body: JSON.stringify(body(email)),
    });
    await response.text();
    if (response.status !== expected) throw new Error(`${path} answered ${response.status}`);
  }

  async function measure(question: Question): Promise<Row> {
    let asked = 0;
    const askAbout = (nextEmail: () => string) => ({
      pid: null,
      async work() {
        for (let request = 0; request < REQUESTS_PER_ROUND; request++) {
          await ask(question, nextEmail());
        }
        return REQUESTS_PER_ROUND;
      },
    });
    const known = askAbout(() => emails[asked++ % ACCOUNTS] ?? '');
    const unknown = askAbout(() => `${randomBytes(6).toString('hex')}@example.com`);
    const compared = await compare(known, unknown);
    return {
      name: question.name,
      unit: 'requests/s',
      against: 'unknown address',
      target: 0.8,
      ...compared,
      // Either being quicker would tell: the ratio is that of the slower to the quicker one.
      ratio: Math.min(compared.ratio, 1 / compared.ratio),
    };
  }

  const rows: Row[] = [];
  for (const question of questions) rows.push(await measure(question));
  return rows;
}
