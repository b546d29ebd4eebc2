import { afterAll, beforeAll, expect, test } from 'vitest';
import { operatorOf } from '../../server/ground/acts/operator-of.ts';
import {
  type InviteContext,
  invite,
  revokeInvitation,
} from '../../server/people/accounts/invitations.ts';
import { findFirstOperatorUrl } from '../../server/people/operators/first-operator.ts';
import { PASSWORD, readMail, signIn, signUp } from '../factories/factories.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person, postJson } from '../harness/person.ts';
import { createPoolAccount, signInByPool } from '../harness/pool-sign-in.ts';
import { runCli } from '../harness/run-command.ts';
import { type App, startApp } from '../harness/start-app.ts';
import { useApp } from '../harness/use-app.ts';
import { startUserPool, type UserPool } from '../harness/user-pool.ts';
import { withDatabase } from '../harness/with-database.ts';

const OPERATOR = { kind: 'cli' } as const;
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

async function refusalOfSignUp(app: App, email: string) {
  const account = { email, password: PASSWORD, name: 'Ada', firstName: 'Ada' };
  const answer = await postJson(createPerson(app), '/api/auth/sign-up/email', account);
  return { status: answer.status, ...((await answer.json()) as { code: string; message: string }) };
}

const readPage = async (person: Person, path: string) => {
  const answer = await person.fetch(path, { headers: { accept: 'text/html' } });
  return { status: answer.status, text: (await answer.text()).replace(/<[^>]*>/g, ' ') };
};

/** Whether the account of this address is an operator's. */
function isOperator(app: App, email: string): Promise<boolean> {
  return withDatabase(app, async (db) => {
    const { id } = await db
      .selectFrom('user')
      .where('email', '=', email)
      .select('id')
      .executeTakeFirstOrThrow();
    const user = { id, email, firstName: 'Ada', sessionId: 's', signedInAt: 0 };
    const viewer = { authority: 'creator', user } as const;
    return (await operatorOf({ db, operatorEmails: [] }, viewer)) !== null;
  });
}

describeOnSqliteFirst('a shop with a door', (database) => {
  let pool: UserPool;
  let app: App;

  beforeAll(async () => {
    pool = await startUserPool();
    app = await startApp({ database, env: { SIGN_UP: 'invite', ...pool.env } });
  });
  afterAll(async () => {
    await app?.stop();
    await pool?.stop();
  });

  const inviting = <Result>(work: (context: InviteContext) => Promise<Result>) =>
    withDatabase(app, (db) => work({ db, now: Date.now, signUp: 'invite', sellers: null }));

  test('by invitation lets in who was invited, by each way to sign in, and nobody else', async () => {
    const refusal = { status: 403, code: 'INVITATION_REQUIRED' };
    expect(await refusalOfSignUp(app, 'ada@example.com')).toMatchObject(refusal);
    expect((await readPage(createPerson(app), '/login?mode=sign-up')).text).toContain(
      'Ask the operator for an invitation',
    );
    const stranger = createPoolAccount(pool, { given_name: 'Bob' });
    expect(await signInByPool(createPerson(app), stranger.login)).toBe(
      '/login?error=invitation_required',
    );

    const sent = await inviting((context) =>
      invite(context, OPERATOR, { email: ' Ada@example.com', role: 'operator' }),
    );
    const { text } = await readMail(app, 'ada@example.com', /invited to help run/);
    const path = /\/invitations\/\S+/.exec(text)?.[0] ?? '';
    const page = await readPage(createPerson(app), path);
    expect(page.status).toBe(200);
    expect(page.text).toContain('Create your account');
    const ada = await signUp(app, { email: 'ada@example.com' });
    expect(await isOperator(app, ada.email)).toBe(true);
    // It is used once; the account remains.
    expect((await readPage(createPerson(app), path)).status).toBe(404);
    await signIn(createPerson(app), ada.email);
    const again = inviting((context) => revokeInvitation(context, OPERATOR, sent.id));
    await expect(again).rejects.toMatchObject({ code: 'NOT_FOUND' });

    await inviting((context) =>
      invite(context, OPERATOR, { email: stranger.email, role: 'seller' }),
    );
    expect(await signInByPool(createPerson(app), stranger.login)).toBe('/dashboard');
    expect(await isOperator(app, stranger.email)).toBe(false);

    const acts = await withDatabase(app, (db) =>
      db.selectFrom('operator_act').select('act').orderBy('acted_at').execute(),
    );
    expect(acts.map(({ act }) => act)).toEqual([
      'operator.invited',
      'operator.made',
      'seller.invited',
    ]);
  });

  test('ends an invitation by revoking it and after a week, until it is sent again', async () => {
    const email = 'eve@example.com';
    const sendAt = (now: number) =>
      inviting((context) =>
        invite({ ...context, now: () => now }, OPERATOR, { email, role: 'seller' }),
      );
    const { id } = await sendAt(Date.now());
    await inviting((context) => revokeInvitation(context, OPERATOR, id));
    expect(await refusalOfSignUp(app, email)).toMatchObject({ code: 'INVITATION_REQUIRED' });
    const late = await sendAt(Date.now() - WEEK_MS);
    expect(await refusalOfSignUp(app, email)).toMatchObject({ code: 'INVITATION_REQUIRED' });
    expect((await sendAt(Date.now())).id).toBe(late.id);
    await signUp(app, { email });
    await expect(sendAt(Date.now())).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describeOnSqliteFirst('a shop that is closed', (database) => {
  const app = useApp({ database, env: { SIGN_UP: 'closed' } });

  async function readWelcome(): Promise<string> {
    const { stdout } = await runCli(app.env, 'operator', 'invite');
    return /\/operator\/welcome\S+/.exec(stdout)?.[0] ?? '';
  }

  test('takes in nobody but its first operator, who brings the address that the start shows', async () => {
    expect(await refusalOfSignUp(app, 'ada@example.com')).toMatchObject({
      status: 403,
      code: 'SIGN_UP_CLOSED',
    });
    const login = await readPage(createPerson(app), '/login?mode=sign-up');
    expect(login.text).toContain('No new accounts can be created on this site.');
    expect(login.text).not.toContain('Create account');

    expect((await readPage(createPerson(app), '/operator/welcome?token=wrong')).status).toBe(404);
    const welcome = await readWelcome();
    const browsers = [createPerson(app), createPerson(app)] as const;
    for (const browser of browsers) {
      // Opening it does nothing yet: scanners of mails and chats do so too.
      const page = await readPage(browser, welcome);
      expect(page.text).toContain('Nobody runs this site yet');
      expect([...browser.cookies.keys()]).toEqual([]);
      const pressed = await browser.fetch(welcome, { method: 'POST' });
      expect([pressed.status, pressed.headers.get('location')]).toEqual([
        303,
        `${welcome}&next=%2Foperator`,
      ]);
      expect((await readPage(browser, welcome)).text).toContain('Create your account');
    }
    const [first, second] = browsers;
    await signUp(app, { email: 'ada@example.com', person: first });
    expect(await isOperator(app, 'ada@example.com')).toBe(true);
    // The other browser came too late.
    expect((await readPage(second, welcome)).status).toBe(404);
    const account = { email: 'eve@example.com', password: PASSWORD, name: 'Eve', firstName: 'Eve' };
    const late = await postJson(second, '/api/auth/sign-up/email', account);
    expect(await late.json()).toMatchObject({ code: 'SIGN_UP_CLOSED' });
    expect(await readWelcome()).toBe('');
  });
});

describeOnSqliteFirst('the address of the first operator', (database) => {
  const secret = 'tests-'.repeat(8);
  const app = useApp({ database, env: { APP_SECRET: secret } });
  const DAY_MS = 24 * 60 * 60 * 1000;

  /** As a start prints it, some time ago. */
  const welcomeSince = (ago: number) =>
    withDatabase(app, async (db) => {
      const context = { db, operatorEmails: [], secret };
      const url = await findFirstOperatorUrl(context, '', Date.now() - ago);
      return url ?? '';
    });

  test('is good for a day, and makes whoever is signed in an operator once they confirm it', async () => {
    const ada = await signUp(app, { email: 'ada@example.com' });
    for (const method of ['GET', 'POST']) {
      const late = await ada.fetch(await welcomeSince(DAY_MS), { method });
      expect([late.status, await late.text()]).toEqual([
        404,
        expect.stringContaining('more than a day old'),
      ]);
    }
    const welcome = await welcomeSince(DAY_MS - 60_000);
    expect((await ada.fetch(welcome)).status).toBe(200);
    // Another site's form presses nothing.
    const foreign = { method: 'POST', headers: { origin: 'https://evil.example' } };
    expect((await ada.fetch(welcome, foreign)).status).toBe(403);
    expect(await isOperator(app, ada.email)).toBe(false);
    const pressed = await ada.fetch(welcome, { method: 'POST' });
    expect([pressed.status, pressed.headers.get('location')]).toEqual([303, '/operator']);
    expect(await isOperator(app, ada.email)).toBe(true);
    expect((await ada.fetch(welcome)).status).toBe(404);
  });
});
