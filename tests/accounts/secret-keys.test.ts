import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  askGraphql,
  createLink,
  graphql,
  PASSWORD,
  readMail,
  sellFile,
  signUp,
  UPDATE_LINK,
  updateLink,
  uploadFile,
} from '../factories/factories.ts';
import { createSecretKey, type NewSecretKey, programWith } from '../factories/secret-key.ts';
import { eventually } from '../harness/eventually.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { type Person, postJson, readJson } from '../harness/person.ts';
import { type SpawnedApp, spawnApp } from '../harness/spawn-app.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

type ListedKey = { id: string; name: string; hint: string; lastUsedAt: string | null };

const LIST = '{ listSecretKeys { id name hint scopes createdAt lastUsedAt } }';
const CREATE = `mutation ($name: String!, $scopes: [String!]) {
  createSecretKey(name: $name, scopes: $scopes) { id }
}`;
const REFUND = 'mutation { refundSale(purchaseId: "none", reason: "None") { id } }';
const REVOKE = 'mutation ($id: ID!) { revokeSecretKey(id: $id) }';
const DELETE = 'mutation ($id: ID!) { deletePaywallLink(input: { id: $id }) { id } }';
const CREATE_FOR = `mutation ($owner: String!) {
  createPaywallLink(input: { type: "link", url: "https://a.example", price: 500, owner: $owner }) {
    id
  }
}`;
const READ = 'query ($id: ID!) { getPaywallLink(id: $id) { id key url unlocked mine } }';

describeOnSqliteFirst('a secret key', (database) => {
  let clock = 0;
  const app = useApp({ database, overrides: { now: () => Date.now() + clock } });
  let creator: Person;
  let key: NewSecretKey;
  let program: Person;

  beforeAll(async () => {
    creator = await signUp(app);
    key = await createSecretKey(creator);
    program = programWith(app, key.secret);
  });

  const listKeys = async (person = creator) =>
    (await graphql<{ listSecretKeys: ListedKey[] }>(person, LIST)).listSecretKeys;
  const codeOf = async (person: Person, query: string, variables = {}) =>
    (await askGraphql(person, query, variables)).errors?.[0]?.extensions?.code;

  const idOf = async (person: Person) =>
    ((await (await person.fetch('/api/user-attributes')).json()) as { sub: string }).sub;

  test('is told once: the list and the database hold its last four characters and a hash', async () => {
    expect(key.secret).toMatch(/^sk_padlink_[\w-]{43}$/);
    expect(key.hint).toBe(key.secret.slice(-4));
    const [listed] = await listKeys();
    expect(listed).toMatchObject({
      id: key.id,
      name: 'Script',
      hint: key.hint,
      scopes: ['sell'],
    });
    const rows = await withDatabase(app, (db) => db.selectFrom('secret_key').selectAll().execute());
    const kept = JSON.stringify([listed, rows]);
    expect(kept).toContain(key.hint);
    expect(kept).not.toContain(key.secret.slice('sk_padlink_'.length, -4));
  });

  test('has a name of 1 to 60 characters, without the space around it', async () => {
    const person = await signUp(app);
    for (const name of [
      '',
      ' \t',
      '\u3164\u0301',
      '\ufffe',
      'x'.repeat(61),
      'a\u0007b',
      'a\u202eb',
    ]) {
      expect(await codeOf(person, CREATE, { name }), name).toBe('INVALID_KEY_NAME');
    }
    expect((await createSecretKey(person, `  ${'👍🏽'.repeat(60)} `)).name).toBe('👍🏽'.repeat(60));
  });

  test('takes a sign-in of at most a day ago', async () => {
    const person = await signUp(app);
    try {
      clock = 25 * 3_600_000;
      expect(await codeOf(person, CREATE, { name: 'Late' })).toBe('SESSION_NOT_FRESH');
      expect(await listKeys(person)).toEqual([]);
      clock = 23 * 3_600_000;
      expect(await codeOf(person, CREATE, { name: 'In time' })).toBeUndefined();
    } finally {
      clock = 0;
    }
  });

  test('is told to its owner by a mail that names it and does not hold it', async () => {
    const person = await signUp(app);
    const { secret } = await createSecretKey(person, 'Shop importer', ['refund', 'read']);
    const { text } = await readMail(app, person.email, /A secret key was created/);
    expect(text).toContain('“Shop importer”');
    expect(text).toMatch(/can see your links.+money; refund your sales/s);
    expect(text).not.toContain(secret);
  });

  test('that outlasts a new password is counted in the mail about it', async () => {
    const person = await signUp(app);
    const change = (currentPassword: string, newPassword: string) =>
      postJson(person, '/api/auth/change-password', { currentPassword, newPassword });
    await readJson(await change(PASSWORD, 'New-horse-8'));
    const first = await readMail(app, person.email, /password was changed/);
    expect(first.text).not.toContain('account page');

    await createSecretKey(person, 'One');
    await createSecretKey(person, 'Two');
    await readJson(await change('New-horse-8', 'Newest-horse-1'));
    await eventually(async () => {
      const mail = await readMail(app, person.email, /password was changed/);
      expect(mail.text).toContain(
        'These still give access to it: 2 secret keys. Remove any that you do not recognize',
      );
    });
  });

  test('is one of at most twenty, also when they are asked for at the same time', {
    tags: 'long',
  }, async () => {
    const person = await signUp(app);
    const codes = await Promise.all(
      Array.from({ length: 24 }, (_, number) => codeOf(person, CREATE, { name: `${number}` })),
    );
    expect(codes.filter((code) => code === undefined)).toHaveLength(20);
    expect(new Set(codes)).toEqual(new Set([undefined, 'TOO_MANY_SECRET_KEYS']));
    const [oldest] = await listKeys(person);
    await graphql(person, REVOKE, { id: oldest?.id });
    expect(await codeOf(person, CREATE, { name: 'One more' })).toBeUndefined();
  });

  test("creates, reads, changes and deletes its creator's links", async () => {
    const { id, key: stored } = await sellFile(program);
    expect(await graphql(program, READ, { id })).toEqual({
      getPaywallLink: { id, key: stored, url: null, unlocked: false, mine: true },
    });
    expect(await updateLink(program, { id, price: 700 })).toEqual({ id, price: 700 });
    await graphql(program, DELETE, { id });
    expect(await graphql(creator, READ, { id })).toEqual({ getPaywallLink: null });
  });

  test("uploads, lists and fetches its creator's files", async () => {
    const bytes = Buffer.from('a file of a program');
    const { key: stored } = await uploadFile(program, { name: 'by-program.txt', bytes });
    expect(await (await program.fetch('/storage/list')).text()).toContain(stored);
    const answer = await program.fetch(`/storage/url?key=${encodeURIComponent(stored)}`);
    const { url } = (await answer.json()) as { url: string };
    expect(await (await fetch(url)).text()).toBe(bytes.toString());
  });

  test("does not touch another creator's links and files", async () => {
    const other = await signUp(app);
    const { id, key: stored } = await sellFile(other);
    expect(await codeOf(program, UPDATE_LINK, { input: { id, price: 700 } })).toBe('UNAUTHORIZED');
    expect(await codeOf(program, DELETE, { id })).toBe('UNAUTHORIZED');
    const { getPaywallLink } = await graphql<{ getPaywallLink: object }>(program, READ, { id });
    expect(getPaywallLink).toMatchObject({ key: null, unlocked: false, mine: false });
    const answer = await program.fetch(`/storage/url?key=${encodeURIComponent(stored ?? '')}`);
    expect(answer.status).toBe(403);
    expect(await codeOf(program, CREATE_FOR, { owner: await idOf(other) })).toBe('UNAUTHORIZED');
  });

  test('does not manage the account: no attributes, sessions, balance, pages or keys', async () => {
    const id = await idOf(creator);
    expect((await program.fetch('/api/user-attributes')).status).toBe(401);
    expect((await program.fetch('/api/auth/get-session')).status).toBe(401);
    expect((await program.fetch('/api/auth/list-sessions')).status).toBe(401);
    const change = { currentPassword: 'Correct-horse-7', newPassword: 'Correct-horse-8' };
    expect((await postJson(program, '/api/auth/change-password', change)).status).toBe(401);
    expect((await program.fetch('/dashboard')).headers.get('location')).toMatch(/^\/login/);
    for (const [query, variables] of [
      ['query ($id: ID!) { getUserBalance(id: $id) { balance } }', { id }],
      [LIST, {}],
      [CREATE, { name: 'Another' }],
      [REVOKE, { id: key.id }],
    ] as const) {
      expect(await codeOf(program, query, variables), query).toBe('UNAUTHORIZED');
    }
  });

  test('comes before a session cookie, and a wrong one is not passed over', async () => {
    for (const wrong of ['sk_padlink_wrong', `${key.secret}A`, key.secret.toUpperCase()]) {
      const headers = { 'x-api-key': wrong };
      const { errors } = await askGraphql(creator, READ, { id: '00000000' }, headers);
      expect(errors?.[0]?.extensions?.code, wrong).toBe('UNAUTHORIZED');
    }
    const { errors } = await askGraphql(creator, LIST, {}, { 'x-api-key': key.secret });
    expect(errors?.[0]?.extensions?.code).toBe('UNAUTHORIZED');
  });

  test('does what its scopes say, and names the one it lacks', async () => {
    const link = await createLink(creator, { type: 'link', url: 'https://a.example' });
    const [toRead, toSell, toRefund] = await Promise.all(
      (['read', 'sell', 'refund'] as const).map(async (scope) => {
        const { secret } = await createSecretKey(creator, scope, [scope]);
        return programWith(app, secret);
      }),
    );
    const refusal = async (person: Person | undefined, query: string, variables = {}) => {
      const { errors } = await askGraphql(person as Person, query, variables);
      const { code } = errors?.[0]?.extensions ?? {};
      return code && [code, errors?.[0]?.message];
    };
    const lacks = (scope: string) => [
      'SCOPE_MISSING',
      `This secret key lacks the scope “${scope}”. Create a key with it on the account page.`,
    ];
    const update = { input: { id: link.id, price: 700 } };
    expect(await refusal(toRead, UPDATE_LINK, update)).toEqual(lacks('sell'));
    expect(await refusal(toSell, UPDATE_LINK, update)).toBeUndefined();
    expect(await refusal(toSell, '{ listSales { nextToken } }')).toEqual(lacks('read'));
    expect(await refusal(toRead, '{ listSales { nextToken } getMoney { balance } }')).toBe(
      undefined,
    );
    expect(await refusal(toSell, REFUND)).toEqual(lacks('refund'));
    expect(await refusal(toRefund, REFUND)).toEqual(['NOT_FOUND', expect.any(String)]);
    const upload = await toRead?.fetch('/uploads', {
      method: 'POST',
      headers: { 'tus-resumable': '1.0.0', 'upload-length': '1' },
    });
    expect(upload?.status).toBe(403);
    expect(await upload?.text()).toContain('lacks the scope “sell”');
    expect(await codeOf(creator, CREATE, { name: 'None', scopes: [] })).toBe('INVALID_INPUT');
    expect(await codeOf(creator, CREATE, { name: 'Other', scopes: ['pay'] })).toBe('INVALID_INPUT');
  });

  test('ends at once when its creator revokes it, and for nobody else', async () => {
    const revoked = await createSecretKey(creator, 'Short-lived');
    const holder = programWith(app, revoked.secret);
    expect(await codeOf(await signUp(app), REVOKE, { id: revoked.id })).toBe('NOT_FOUND');
    expect(await codeOf(holder, READ, { id: '00000000' })).toBeUndefined();
    await graphql(creator, REVOKE, { id: revoked.id });
    expect(await codeOf(holder, READ, { id: '00000000' })).toBe('UNAUTHORIZED');
    expect(await codeOf(creator, REVOKE, { id: revoked.id })).toBe('NOT_FOUND');
    expect((await listKeys()).map(({ id }) => id)).not.toContain(revoked.id);
  });

  test('ends with the account it belongs to', async () => {
    const person = await signUp(app);
    const holder = programWith(app, (await createSecretKey(person)).secret);
    expect(await codeOf(holder, READ, { id: '00000000' })).toBeUndefined();
    await withDatabase(app, async (db) => {
      await db
        .deleteFrom('user')
        .where('id', '=', await idOf(person))
        .execute();
    });
    expect(await codeOf(holder, READ, { id: '00000000' })).toBe('UNAUTHORIZED');
  });

  test('says when it was last used, to the minute', async () => {
    const used = await createSecretKey(creator, 'Watched');
    const holder = programWith(app, used.secret);
    const lastUse = async () => (await listKeys()).find(({ id }) => id === used.id)?.lastUsedAt;
    const use = () => graphql(holder, READ, { id: '00000000' });
    expect(await lastUse()).toBeNull();
    await use();
    const first = await eventually(async () => {
      const time = await lastUse();
      if (!time) throw new Error('Not noted yet.');
      return time;
    });
    try {
      clock = 50_000;
      await use();
      clock = 61_000;
      await use();
      await eventually(async () => {
        const elapsed = Date.parse((await lastUse()) ?? '') - Date.parse(first);
        expect(elapsed).toBeGreaterThanOrEqual(60_000);
      });
    } finally {
      clock = 0;
    }
  });
});

describe('the log at its most talkative', () => {
  let app: SpawnedApp;
  beforeAll(async () => {
    app = await spawnApp({ env: { LOG_LEVEL: 'debug' } });
  });
  afterAll(() => app?.stop());

  test('holds no secret key, neither a right one nor a wrong one', { tags: 'long' }, async () => {
    const { secret } = await createSecretKey(await signUp(app));
    const wrong = 'sk_padlink_wrong-and-in-the-log';
    for (const key of [secret, wrong]) {
      const program = programWith(app, key);
      await askGraphql(program, READ, { id: '00000000' });
      await askGraphql(program, '{ nonsense }');
      await postJson(program, '/prod/checkout', { paywallId: 7 });
      await program.fetch('/storage/url?key=x');
      await program.fetch('/uploads', { method: 'POST', headers: { 'tus-resumable': '1.0.0' } });
    }
    expect(app.output()).not.toBe('');
    expect(app.output()).not.toContain(secret.slice('sk_padlink_'.length));
    expect(app.output()).not.toContain(wrong);
  });
});
