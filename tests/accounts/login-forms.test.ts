import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { auth, createEmail, expectMails } from '../factories/account-requests.ts';
import { postForm } from '../factories/cart-steps.ts';
import { PASSWORD, readCode, readMail, signUp } from '../factories/factories.ts';
import { signUpWithTwoFactor } from '../factories/two-factor.ts';
import { showCode, wrongCode } from '../harness/authenticator-app.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { readAttributes } from '../harness/pool-sign-in.ts';
import { runCli } from '../harness/run-command.ts';
import { stopClock } from '../harness/stop-clock.ts';
import { useApp } from '../harness/use-app.ts';
import { startUserPool } from '../harness/user-pool.ts';

const HTML = { accept: 'text/html' };
const NEW_PASSWORD = 'Another-horse-8';
const WRONG = 'The email address or password is wrong.';

/** What the form of a step posts, and what came of it. */
async function post(
  person: Person,
  mode: string,
  fields: Record<string, string>,
  { next, headers = {} }: { next?: string; headers?: Record<string, string> } = {},
) {
  const query = new URLSearchParams({ mode, ...(next !== undefined && { next }) });
  const answer = await person.fetch(`/login?${query}`, {
    method: 'POST',
    headers: { ...HTML, ...headers },
    body: new URLSearchParams(fields),
  });
  const html = await answer.text();
  return {
    answer,
    html,
    status: answer.status,
    leadsTo: answer.headers.get('location'),
    /** In the order of the page. */
    alerts: [...html.matchAll(/role="alert"[^>]*>.*?<span>(.*?)<\/span>/g)].map(([, said]) => said),
    keeping: answer.headers.get('cache-control'),
  };
}

const open = async (person: Person, path: string, headers = {}) =>
  (await person.fetch(path, { headers: { ...HTML, ...headers } })).text();

const isSignedIn = async (person: Person) =>
  (await person.fetch('/api/user-attributes')).status === 200;

describe('the forms of the login page', () => {
  const app = useApp();
  beforeEach(stopClock);

  const newAccount = (email = createEmail()) => ({
    firstName: 'Dorothy',
    email,
    password: PASSWORD,
    confirmation: PASSWORD,
  });

  test('sign up, confirm the address, sign out and sign in, and each leads on', async () => {
    const person = createPerson(app);
    const { email, ...account } = newAccount();
    const next = '/upload';
    const signedUp = await post(person, 'sign-up', { ...account, email }, { next });
    expect(signedUp).toMatchObject({ status: 303, leadsTo: '/login?mode=verify&next=%2Fupload' });
    expect(signedUp.leadsTo).not.toContain('@');
    const asked = await person.fetch('/login?mode=verify&next=%2Fupload', { headers: HTML });
    expect(asked.headers.get('cache-control')).toBe('private, no-store, no-transform');
    const page = await asked.text();
    expect(page).toContain(`We sent a six-digit code to <bdi><strong class="text-ink">${email}`);
    expect(page).toContain('action="/login?mode=verify&amp;next=%2Fupload"');

    const code = await readCode(app, email);
    const confirmed = await post(person, 'verify', { email, code: ` ${code} ` }, { next });
    expect(confirmed).toMatchObject({ status: 303, leadsTo: '/upload', keeping: 'no-store' });
    expect(await readAttributes(person)).toMatchObject({ email, 'custom:first_name': 'Dorothy' });
    // What the page showed meanwhile is over.
    expect(person.cookies.get('padlink_sign_in') ?? '').toBe('');

    await postForm(person, '/logout', {});
    expect(await isSignedIn(person)).toBe(false);
    const entered = await post(person, 'sign-in', { email, password: PASSWORD });
    expect(entered).toMatchObject({ status: 303, leadsTo: '/dashboard' });
    expect(await isSignedIn(person)).toBe(true);
    // A token for programs is none of a browser's business.
    expect(entered.answer.headers.has('set-auth-token')).toBe(false);
  });

  test('say what is wrong beside the field, and keep what was typed but passwords', async () => {
    const email = 'ada"><script>alert(1)</script>@example.com';
    const { status, html, alerts, keeping, answer } = await post(createPerson(app), 'sign-up', {
      firstName: '<b>Ada</b>',
      email: ` ${email}`,
      password: 'weak-Secret',
      confirmation: 'other-Secret',
    });
    expect(status).toBe(400);
    expect(keeping).toBe('private, no-store, no-transform');
    expect(answer.headers.get('content-security-policy')).toContain("form-action 'self'");
    expect(alerts).toEqual(['The password needs a number.', 'The passwords do not match.']);
    expect(html).toContain('value="&lt;b&gt;Ada&lt;/b&gt;"');
    expect(html).toContain(
      'value=" ada&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;@example.com"',
    );
    expect(html).not.toContain('<script>alert');
    expect(html).not.toContain('-Secret');
    expect(html.match(/aria-invalid="true"/g)).toHaveLength(2);
  });

  test.each([
    ['sign-in', {}, ['Enter your email address.', 'Enter your password.']],
    [
      'sign-in',
      { email: 'ada', password: 'x' },
      ['Enter a full email address, like name@example.com.'],
    ],
    [
      'sign-up',
      {},
      [
        'Enter your first name.',
        'Enter your email address.',
        'The password needs at least 8 characters, a lowercase letter, an uppercase letter, a number, and a symbol.',
      ],
    ],
    [
      'verify',
      { email: 'a@example.com', code: '12' },
      ['Enter the six-digit code from the email.'],
    ],
    ['forgot', { email: ' ' }, ['Enter your email address.']],
    [
      'reset',
      { email: 'a@example.com', code: '', password: PASSWORD, confirmation: PASSWORD },
      ['Enter the six-digit code from the email.'],
    ],
    ['second-factor', { code: 'x' }, ['Enter the six-digit code from your app.']],
    ['backup-code', { code: ' ' }, ['Enter a backup code.']],
    ['first-name', { firstName: '\u3164' }, ['Enter your first name.']],
  ])('%s with %j says %j as the script does', async (mode, fields, said) => {
    const refused = await post(createPerson(app), mode, fields);
    expect(refused.status).toBe(400);
    expect(refused.alerts).toEqual(said);
  });

  test('say the same of a wrong password and of an address that nobody has', async () => {
    const { email } = await signUp(app);
    for (const tried of [email, createEmail()]) {
      const person = createPerson(app);
      const refused = await post(person, 'sign-in', { email: tried, password: 'Wrong-horse-7' });
      expect(refused.status).toBe(401);
      expect(refused.alerts).toEqual([WRONG]);
      expect(refused.html).toContain(`value="${tried}"`);
      expect(refused.html).not.toContain('Wrong-horse-7');
      expect(await isSignedIn(person)).toBe(false);
    }
    const there = await post(createPerson(app), 'forgot', { email });
    const nowhere = await post(createPerson(app), 'forgot', { email: createEmail() });
    expect([there.status, there.leadsTo]).toEqual([nowhere.status, nowhere.leadsTo]);
  });

  test('speak German to who reads it', async () => {
    const refused = await post(
      createPerson(app),
      'sign-in',
      { email: createEmail(), password: 'x' },
      { headers: { 'accept-language': 'de' } },
    );
    expect(refused.alerts).toEqual(['E-Mail-Adresse oder Passwort ist falsch.']);
  });

  test('choose a new password by the mailed code, which signs in', async () => {
    const { email } = await signUp(app);
    const person = createPerson(app);
    const asked = await post(person, 'forgot', { email }, { next: '/account' });
    expect(asked).toMatchObject({ status: 303, leadsTo: '/login?mode=reset&next=%2Faccount' });
    await expectMails(app.origin, email, 2);
    expect(await open(person, '/login?mode=reset')).toContain('Choose a new password');
    const code = await readCode(app, email);
    const wrong = code === '000000' ? '000001' : '000000';
    const typed = { email, password: NEW_PASSWORD, confirmation: NEW_PASSWORD };
    const refused = await post(person, 'reset', { ...typed, code: wrong });
    expect(refused).toMatchObject({
      status: 400,
      alerts: ['This code is wrong, expired, or replaced by a newer one.'],
    });
    const saved = await post(person, 'reset', { ...typed, code }, { next: '/account' });
    expect(saved).toMatchObject({ status: 303, leadsTo: '/account' });
    expect(await isSignedIn(person)).toBe(true);
  });

  test('send another code, and say so', async () => {
    const person = createPerson(app);
    const { email, ...account } = newAccount();
    await post(person, 'sign-up', { ...account, email });
    await expectMails(app.origin, email, 1);
    const sent = await post(person, 'verify', { email, resend: 'yes' });
    expect(sent).toMatchObject({ status: 303, leadsTo: '/login?mode=verify&resent=yes' });
    await expectMails(app.origin, email, 2);
    expect(await open(person, sent.leadsTo ?? '')).toContain('A new code is on its way.');
    const refusals = [];
    for (let count = 0; count < 5; count++) {
      refusals.push(await post(person, 'verify', { email, resend: 'yes' }));
    }
    const last = refusals.at(-1);
    expect(last?.status).toBe(429);
    expect(last?.alerts[0]).toMatch(/^Too many attempts\. Please try again in \d+ minutes\.$/);
    expect(last?.html).toContain(`name="email" value="${email}"`);
  });

  test('lead to the code whoever signs in before confirming the address', async () => {
    const { email, ...account } = newAccount();
    await post(createPerson(app), 'sign-up', { ...account, email });
    const person = createPerson(app);
    const entered = await post(person, 'sign-in', { email, password: PASSWORD });
    expect(entered).toMatchObject({ status: 303, leadsTo: '/login?mode=verify' });
    expect(await isSignedIn(person)).toBe(false);
  });

  test('ask for the second factor, of the app or a backup code', async () => {
    const { owner, key, backupCodes } = await signUpWithTwoFactor(app);
    const { email } = owner;
    const person = createPerson(app);
    const entered = await post(person, 'sign-in', { email, password: PASSWORD }, { next: '/cart' });
    expect(entered.leadsTo).toBe('/login?mode=second-factor&next=%2Fcart');
    expect(await isSignedIn(person)).toBe(false);
    const page = await open(person, entered.leadsTo ?? '');
    expect(page).toContain('href="/login?mode=backup-code&amp;next=%2Fcart"');
    const refused = await post(person, 'second-factor', { code: wrongCode(key) });
    expect(refused.alerts).toEqual([
      'This code is wrong or has been used. Enter the current one from your app.',
    ]);
    const other = await open(person, '/login?mode=backup-code&next=%2Fcart');
    expect(other).toContain('action="/login?mode=backup-code&amp;next=%2Fcart"');
    const passed = await post(
      person,
      'backup-code',
      { code: backupCodes[0]?.toUpperCase() ?? '' },
      { next: '/cart' },
    );
    expect(passed).toMatchObject({ status: 303, leadsTo: '/cart' });
    expect(await isSignedIn(person)).toBe(true);

    const another = createPerson(app);
    await post(another, 'sign-in', { email, password: PASSWORD });
    const code = showCode(key, 1);
    expect((await post(another, 'second-factor', { code })).status).toBe(303);
    expect(await isSignedIn(another)).toBe(true);
  });

  test('ask for the second factor after a new password, too', async () => {
    const { owner } = await signUpWithTwoFactor(app);
    const { email } = owner;
    const person = createPerson(app);
    const first = await readCode(app, email);
    await post(person, 'forgot', { email });
    await expect.poll(() => readCode(app, email)).not.toBe(first);
    const code = await readCode(app, email);
    const typed = { email, code, password: NEW_PASSWORD, confirmation: NEW_PASSWORD };
    const saved = await post(person, 'reset', typed);
    expect(saved.leadsTo).toBe('/login?mode=second-factor');
    expect(await open(person, '/login?mode=second-factor')).toContain(
      'Your new password is saved.',
    );
    const wrong = await post(person, 'second-factor', { code: '12345' });
    expect(wrong.html).toContain('Your new password is saved.');
    expect(await isSignedIn(person)).toBe(false);
  });

  test('lead back to who has a new password, where strangers used up the tries', async () => {
    const { email } = await signUp(app);
    const person = createPerson(app);
    await post(person, 'forgot', { email });
    await expectMails(app.origin, email, 2);
    const code = await readCode(app, email);
    for (let count = 0; count < 5; count++) {
      await auth(createPerson(app), 'sign-in/email', { email, password: 'Wrong-horse-7' });
    }
    const typed = { email, code, password: NEW_PASSWORD, confirmation: NEW_PASSWORD };
    expect((await post(person, 'reset', typed)).leadsTo).toBe('/login?mode=sign-in');
    const page = await open(person, '/login?mode=sign-in');
    expect(page).toContain('Your new password is saved.');
    expect(page).toContain(`value="${email}"`);
    const entered = await post(person, 'sign-in', { email, password: NEW_PASSWORD });
    expect(entered).toMatchObject({ status: 303, leadsTo: '/dashboard' });
  });

  test('count as the account routes do, with one allowance for both', async () => {
    const { email } = await signUp(app);
    const password = 'Wrong-horse-7';
    for (let count = 0; count < 3; count++) {
      expect((await post(createPerson(app), 'sign-in', { email, password })).status).toBe(401);
    }
    for (let count = 0; count < 2; count++) {
      const answer = await auth(createPerson(app), 'sign-in/email', { email, password });
      expect(answer.status).toBe(401);
    }
    const refused = await post(createPerson(app), 'sign-in', { email, password: PASSWORD });
    expect(refused.status).toBe(429);
    expect(refused.answer.headers.get('retry-after')).toBe('60');
    expect(refused.alerts).toEqual(['Too many attempts. Please try again in 60 seconds.']);
    expect(refused.html).toContain(`value="${email}"`);
  });

  test.each([
    'https://evil.example.com/',
    '//evil.example.com/',
    '/\\evil.example.com/',
    '/\t/evil.example.com/',
    'javascript:alert(1)',
    '',
  ])('lead to the dashboard, not to %j', async (next) => {
    const { email } = await signUp(app);
    const entered = await post(
      createPerson(app),
      'sign-in',
      { email, password: PASSWORD },
      { next },
    );
    expect(entered).toMatchObject({ status: 303, leadsTo: '/dashboard' });
  });

  test('sign nobody in at the wish of another site', async () => {
    const { email } = await signUp(app);
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example.com' },
      { origin: 'null' },
    ] as Record<string, string>[]) {
      const victim = createPerson(app);
      const entered = await post(victim, 'sign-in', { email, password: PASSWORD }, { headers });
      expect(entered.status, JSON.stringify(headers)).toBe(403);
      expect(entered.answer.headers.getSetCookie()).toEqual([]);
      expect(await isSignedIn(victim)).toBe(false);
    }
  });

  test('refuse what no browser sends by them', async () => {
    const person = await signUp(app);
    const send = (init: RequestInit, query = '?mode=sign-in') =>
      person.fetch(`/login${query}`, { method: 'POST', ...init });
    const body = new URLSearchParams({ email: person.email, password: PASSWORD });
    const json = { 'content-type': 'application/json' };
    expect((await send({ headers: json, body: '{}' })).status).toBe(415);
    expect((await send({ body: new FormData() })).status).toBe(415);
    expect((await send({ body: new URLSearchParams({ email: 'x'.repeat(17_000) }) })).status).toBe(
      413,
    );
    expect((await send({ body }, '')).status).toBe(400);
    expect((await send({ body }, '?mode=done')).status).toBe(400);
    expect((await send({})).status).toBe(400);
    expect((await send({ headers: { 'x-api-key': 'sk_padlink_x' }, body })).status).toBe(401);
  });

  test('show no step to who did not get there', async () => {
    const person = createPerson(app);
    for (const mode of ['verify', 'reset', 'second-factor', 'backup-code', 'done', 'first-name']) {
      expect(await open(person, `/login?mode=${mode}`)).toContain('>Sign in</h1>');
    }
    person.cookies.set('padlink_sign_in', 'eyJhdCI6InZlcmlmeSJ9.forged');
    expect(await open(person, '/login?mode=verify')).toContain('>Sign in</h1>');
    expect(await open(person, '/login?mode=forgot')).toContain('Forgot your password?</h1>');
    // Whose session has ended is asked to sign in, not for a name.
    const named = await post(person, 'first-name', { firstName: 'Ada' });
    expect([named.status, named.leadsTo]).toEqual([303, '/login?mode=sign-in']);
  });

  test('are forgotten, with the address that was typed, by who signed in otherwise', async () => {
    const typed = { firstName: 'Ada', email: createEmail(), password: PASSWORD };
    for (const leave of ['GET /login', 'POST /logout']) {
      const person = await signUp(app);
      await post(person, 'sign-up', { ...typed, confirmation: PASSWORD });
      expect(person.cookies.has('padlink_sign_in')).toBe(true);
      const [method = '', path = ''] = leave.split(' ');
      await person.fetch(path, { method });
      expect(person.cookies.has('padlink_sign_in'), leave).toBe(false);
    }
  });
});

describe('the forms of the login page where accounts are by invitation', () => {
  const app = useApp({ env: { SIGN_UP: 'invite' } });

  test('keep who was invited at the form that makes an account', async () => {
    await runCli(app.env, 'user', 'invite', 'invited@example.com');
    const { text } = await readMail(app, 'invited@example.com', /invited to sell/);
    const invited = createPerson(app);
    const page = await open(invited, /\/invitations\/\S+/.exec(text)?.[0] ?? '');
    expect(page).toContain('action="/login?mode=sign-up"');
    expect(page).toContain('name="invited" value="yes"');
    const account = { firstName: 'Ada', email: 'invited@example.com', invited: 'yes' };
    const refused = await post(invited, 'sign-up', {
      ...account,
      password: PASSWORD,
      confirmation: 'x',
    });
    expect(refused.html).toContain('Create your account</h1>');
    expect(refused.html).not.toContain('Ask the operator for an invitation');
    const typed = { ...account, password: PASSWORD, confirmation: PASSWORD };
    expect((await post(invited, 'sign-up', typed)).leadsTo).toBe('/login?mode=verify');
    const stranger = await post(createPerson(app), 'sign-up', { ...typed, email: createEmail() });
    expect(stranger.status).toBe(403);
    expect(stranger.alerts).toEqual([
      'Accounts here are by invitation. Ask the operator of this site to invite this address.',
    ]);
  });
});

const pool = await startUserPool();
afterAll(() => pool.stop());

describe('the login page with a user pool', () => {
  const app = useApp({ env: { ...pool.env, OIDC_ONLY: 'true' } });

  test('leads to the pool from a plain form, and refuses passwords', async () => {
    const person = createPerson(app);
    const page = await open(person, '/login?next=%2Fupload');
    expect(page).toContain('action="/login?mode=provider&amp;next=%2Fupload"');
    const led = await post(person, 'provider', { provider: 'oidc' }, { next: '/upload' });
    expect(led.status).toBe(200);
    expect(led.keeping).toBe('no-store');
    const [, address = ''] = /^0; url=(.*)$/.exec(led.answer.headers.get('refresh') ?? '') ?? [];
    expect(address.startsWith(`${pool.issuer}/`)).toBe(true);
    expect(person.cookies.size).toBeGreaterThan(0);
    const unknown = await post(person, 'provider', { provider: 'x' });
    expect(unknown).toMatchObject({
      status: 303,
      leadsTo: '/login?next=%2Fdashboard&error=refused',
    });
    const typed = { email: createEmail(), password: PASSWORD };
    expect((await post(person, 'sign-in', typed)).status).toBe(403);
  });
});
