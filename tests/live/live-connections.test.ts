import { once } from 'node:events';
import { request } from 'node:http';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createLink, publishableKey, signUp } from '../factories/factories.ts';
import { createSecretKey, SERVICE_KEY } from '../factories/secret-key.ts';
import { eventually } from '../harness/eventually.ts';
import { connectLive, type LiveSocket, openSocket } from '../harness/live-socket.ts';
import { createPerson, type Person, postJson, readJson } from '../harness/person.ts';
import { startApp } from '../harness/start-app.ts';
import { stopClock } from '../harness/stop-clock.ts';
import { useApp } from '../harness/use-app.ts';

const ON_CREATE = 'subscription { onCreatePaywallLink { id } }';
const ON_BALANCE = 'subscription ($id: ID!) { onUpdateUserBalance(id: $id) { balance } }';

describe('a connection for live updates', () => {
  const app = useApp({ env: { SERVICE_KEY } });
  let creator: Person;
  let owner: string;
  let keys: { 'x-api-key': string };

  beforeAll(async () => {
    creator = await signUp(app);
    const attributes = await creator.fetch('/api/user-attributes');
    owner = (await readJson<{ sub: string }>(attributes)).sub;
    keys = await publishableKey(app);
  });

  /** The code a socket is closed with after it said who it is. */
  async function refusal(
    payload: object | undefined,
    options: Parameters<typeof openSocket>[1] = {},
  ) {
    const socket = openSocket(app, options);
    await once(socket.raw, 'open');
    socket.send({ type: 'connection_init', payload });
    return socket.closed;
  }

  /** The status that answers an upgrade that is not made. */
  async function refusedUpgrade(options: Parameters<typeof openSocket>[1]): Promise<number> {
    const { raw } = openSocket(app, options);
    const [, response] = await once(raw, 'unexpected-response');
    return response.statusCode;
  }

  async function expectNoBalance(socket: LiveSocket): Promise<void> {
    const payload = { query: ON_BALANCE, variables: { id: owner } };
    socket.send({ type: 'subscribe', id: 'balance', payload });
    const answer = await socket.find(({ id }) => id === 'balance');
    expect(answer.payload?.errors).toMatchObject([{ extensions: { code: 'UNAUTHORIZED' } }]);
  }

  const tokenOf = async ({ cookies }: Person) =>
    decodeURIComponent(cookies.get('padlink.session_token') ?? '').split('.')[0] ?? '';

  test('is acknowledged with the time after which silence means it is lost', async () => {
    const socket = await connectLive(app, { keys });
    expect(socket.messages[0]).toEqual({
      type: 'connection_ack',
      payload: { connectionTimeoutMs: 300_000 },
    });
  });

  test('tells by a ping when a subscription runs', async () => {
    const socket = await connectLive(app, { keys });
    await socket.subscribe('one', ON_CREATE);
    expect(socket.messages.at(-1)).toEqual({
      type: 'ping',
      payload: { type: 'start_ack', id: 'one' },
    });
  });

  test('without key and session is closed as forbidden', async () => {
    expect(await refusal(undefined)).toBe(4403);
    expect(await refusal({})).toBe(4403);
  });

  test('with a key or token that is wrong is closed, also beside a good session', async () => {
    const session = { origin: app.origin, cookies: creator.cookies };
    for (const wrong of [{ 'x-api-key': 'sk_wrong' }, { authorization: 'Bearer wrong' }]) {
      expect(await refusal(wrong)).toBe(4403);
      expect(await refusal(wrong, session)).toBe(4403);
    }
    expect(await refusal({ 'x-api-key': { $ne: null } })).toBe(4403);
  });

  test("sees with a creator's secret key what that creator sees, but no balance", async () => {
    const { secret } = await createSecretKey(creator);
    const socket = await connectLive(app, { keys: { 'x-api-key': secret } });
    await socket.subscribe('new', 'subscription { onCreatePaywallLink { url } }');
    await createLink(creator, { type: 'link', url: 'https://example.com/mine' });
    await socket.find(({ id }) => id === 'new');
    expect(socket.answers('new')).toEqual([{ url: 'https://example.com/mine' }]);
    await expectNoBalance(socket);
  });

  test('is opened by a session cookie, a bearer token, the publishable and the service key', async () => {
    await connectLive(app, { origin: app.origin, cookies: creator.cookies });
    await connectLive(app, { keys });
    await connectLive(app, { keys: { 'x-api-key': SERVICE_KEY } });
    const bearer = { authorization: `Bearer ${await tokenOf(creator)}` };
    const socket = await connectLive(app, { keys: bearer });
    await socket.subscribe('balance', ON_BALANCE, { id: owner });
    expect(socket.raw.readyState).toBe(socket.raw.OPEN);
  });

  test('from another origin is refused before it is opened', async () => {
    for (const origin of ['https://evil.example.com', 'null', 'http://localhost:1']) {
      expect(await refusedUpgrade({ origin, cookies: creator.cookies })).toBe(403);
    }
  });

  test('that names no origin has no authority by its cookies', async () => {
    expect(await refusal(undefined, { cookies: creator.cookies })).toBe(4403);
    const socket = await connectLive(app, { cookies: creator.cookies, keys });
    await expectNoBalance(socket);
  });

  test('shows no balance but that of its own session', async () => {
    const other = await signUp(app);
    const sockets = [
      await connectLive(app, { origin: app.origin, cookies: other.cookies }),
      await connectLive(app, { keys }),
      await connectLive(app, { keys: { 'x-api-key': SERVICE_KEY } }),
    ];
    for (const socket of sockets) {
      await expectNoBalance(socket);
    }
  });

  test.each([
    ['a query', 'query { getPaywallLink(id: "00000000") { id } }', /by POST/],
    ['a mutation', 'mutation { deletePaywallLink(input: { id: "1" }) { id } }', /by POST/],
    [
      'a second operation',
      `${ON_CREATE.replace('{', 'A {')} ${ON_CREATE.replace('{', 'B {')}`,
      /one operation/,
    ],
    ['16 aliases', `subscription { onCreatePaywallLink { ${aliases(16)} } }`, /15 aliases/],
    [
      '1001 tokens',
      `subscription { onCreatePaywallLink { ${'id '.repeat(1_000)} } }`,
      /1000 tokens/,
    ],
    ['7 levels', `subscription { ${'a { '.repeat(6)} b ${'} '.repeat(6)} }`, /6 levels/],
    // A subscription has no such field: without the rule, the words would be others.
    ['introspection', 'query { __schema { types { name } } }', /introspection has been disabled/],
    ['introspection of a type', 'query { __type(name: "Query") { name } }', /has been disabled/],
    [
      'a subscription to what only a query has',
      'subscription { __schema { types { name } } }',
      /Cannot query field "__schema"/,
    ],
    ['a field that does not exist', 'subscription { onCreatePaywallLink { secret } }', /secret/],
    ['what is no GraphQL', 'subscription {', /Syntax Error/],
  ])('refuses %s', async (_what, query, words) => {
    const socket = await connectLive(app, { keys });
    socket.send({ type: 'subscribe', id: 'x', payload: { query } });
    const { type, payload } = await socket.find(({ id }) => id === 'x');
    expect(type).toBe('error');
    expect(payload).toContainEqual(
      expect.objectContaining({ message: expect.stringMatching(words) }),
    );
  });

  test.each([
    ['an owner, which would be everybody', 'onCreatePaywallLink', 'owner'],
    ['an owner, which would be everybody', 'onDeletePaywallLink', 'owner'],
    ['an id, which would be any', 'onUpdatePaywallLink', 'id'],
  ])('hears nothing of %s, without a value (%s)', async (_what, field, name) => {
    const socket = await connectLive(app, { keys });
    const query = `subscription ($value: ${name === 'id' ? 'ID' : 'String'}) { ${field}(${name}: $value) { id } }`;
    socket.send({ type: 'subscribe', id: 'x', payload: { query, variables: { value: null } } });
    const { payload } = await socket.find(({ type }) => type === 'next');
    expect(payload).toMatchObject({ errors: [{ message: expect.stringContaining(`'${name}'`) }] });
    await socket.find(({ id, type }) => id === 'x' && type === 'complete');
  });

  test('holds 5 subscriptions and refuses the next', async () => {
    const socket = await connectLive(app, { keys });
    for (let count = 1; count <= 5; count++) await socket.subscribe(`${count}`, ON_CREATE);
    socket.send({ type: 'subscribe', id: '6', payload: { query: ON_CREATE } });
    const { payload } = await socket.find(({ id, type }) => id === '6' && type === 'error');
    expect(payload).toMatchObject([{ message: expect.stringMatching(/at most 5 sub/) }]);
    socket.send({ type: 'complete', id: '1' });
    await socket.subscribe('7', ON_CREATE);
  });

  test('is closed over its 61st message of a minute', async () => {
    stopClock();
    const socket = await connectLive(app, { keys });
    const closing = once(socket.raw, 'close');
    for (let count = 2; count <= 61; count += 1) socket.send({ type: 'ping' });
    const [code, reason] = await closing;
    expect(code).toBe(1013);
    expect(String(reason)).toMatch(/^Too many attempts\. Please try again in \d+ seconds\.$/);
    expect(socket.messages.filter(({ type }) => type === 'pong')).toHaveLength(59);
  });

  test('is read in turn with others, one message at a time', async () => {
    const [busy, quiet] = [await connectLive(app, { keys }), await connectLive(app, { keys })];
    const order: string[] = [];
    busy.raw.on('message', () => order.push('busy'));
    quiet.raw.on('message', () => order.push('quiet'));
    for (let count = 0; count < 50; count += 1) busy.send({ type: 'ping' });
    quiet.send({ type: 'ping' });
    await eventually(() => expect(order).toHaveLength(51));
    expect(order.indexOf('quiet')).toBeLessThan(40);
  });

  test('is closed over a message of more than 64 KiB', async () => {
    const socket = await connectLive(app, { keys });
    socket.send({ type: 'ping', payload: { text: 'x'.repeat(65_536) } });
    expect(await socket.closed).toBe(1009);
  });

  test('is refused at another path, which answers as ever', async () => {
    const { raw } = openSocket({ origin: `${app.origin}/p` });
    const [, response] = await once(raw, 'unexpected-response');
    expect(response.statusCode).toBe(404);
  });

  test('leaves a request alone that only offers another protocol', async () => {
    const headers = { connection: 'Upgrade', upgrade: 'h2c' };
    const [answer] = await once(request(`${app.origin}/healthz`, { headers }).end(), 'response');
    expect(answer.statusCode).toBe(200);
  });

  test('is the only way to subscribe: a POST is refused in words', async () => {
    const answer = await postJson(createPerson(app), '/graphql', { query: ON_CREATE }, keys);
    expect(answer.status).toBe(400);
    const { errors } = await answer.json();
    expect(errors).toMatchObject([{ message: expect.stringMatching(/WebSocket/) }]);
  });
});

test('a server that stops says so to its live connections, and stops', async () => {
  const app = await startApp();
  const { closed } = await connectLive(app, { keys: await publishableKey(app) });
  const stopped = app.stop();
  expect(await closed).toBe(1001);
  await stopped;
});

test('an address holds a hundred live connections, and one more when one of them ends', async () => {
  const app = await startApp();
  onTestFinished(() => app.stop());
  const keys = await publishableKey(app);
  const [first] = await Promise.all(Array.from({ length: 100 }, () => connectLive(app, { keys })));
  const [, response] = await once(openSocket(app).raw, 'unexpected-response');
  expect(response.statusCode).toBe(429);
  expect(response.headers['retry-after']).toBe('60');
  first?.raw.close();
  await first?.closed;
  await eventually(() => connectLive(app, { keys }));
});

test('an address sends 1,200 messages a minute on all its connections', async () => {
  stopClock();
  const app = await startApp();
  onTestFinished(() => app.stop());
  const keys = await publishableKey(app);
  const sockets = await Promise.all(Array.from({ length: 20 }, () => connectLive(app, { keys })));
  for (const socket of sockets) {
    for (let count = 2; count <= 60; count += 1) socket.send({ type: 'ping' });
  }
  for (const { messages } of sockets) {
    await eventually(() => expect(messages).toHaveLength(60));
  }
  const late = openSocket(app);
  await once(late.raw, 'open');
  late.send({ type: 'connection_init', payload: keys });
  expect(await late.closed).toBe(1013);
});

test('an address holds 200 subscriptions on all its connections, and one more when one of them ends', {
  tags: 'long',
}, async () => {
  const app = await startApp();
  onTestFinished(() => app.stop());
  const keys = await publishableKey(app);
  const connect = () => connectLive(app, { keys });
  const [last, ...full] = await Promise.all(Array.from({ length: 41 }, connect));
  const ids = ['1', '2', '3', '4', '5'];
  await Promise.all(full.flatMap((socket) => ids.map((id) => socket.subscribe(id, ON_CREATE))));
  last?.send({ type: 'subscribe', id: 'more', payload: { query: ON_CREATE } });
  const refused = await last?.find(({ id, type }) => id === 'more' && type === 'error');
  expect(refused?.payload).toMatchObject([{ message: expect.stringMatching(/at most 200 sub/) }]);
  full[0]?.raw.close();
  await full[0]?.closed;
  await last?.subscribe('again', ON_CREATE);
});

function aliases(count: number): string {
  return Array.from({ length: count }, (_, index) => `a${index}: id`).join(' ');
}
