import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { type GraphQLField, getNamedType, isLeafType, isRequiredArgument } from 'graphql';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../server/api/schema.ts';
import { LIMITS, type LimitName } from '../../server/edge/http/rate-limits.ts';
import type { Database } from '../../server/ground/database/tables.ts';
import { auth, createEmail } from '../factories/account-requests.ts';
import { postForm, readSeen } from '../factories/cart-steps.ts';
import {
  announceUpload,
  graphql,
  PASSWORD,
  publishableKey,
  readMail,
  sellFile,
  signUp,
  storageUrl,
  updateLink,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { waitUntilIdle } from '../factories/money.ts';
import { BUYER_EMAIL, CARDS, checkOut, payAt, payFor } from '../factories/payment.ts';
import { signUpWithTwoFactor } from '../factories/two-factor.ts';
import { showCode } from '../harness/authenticator-app.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { connectLive } from '../harness/live-socket.ts';
import { type MailServer, startMailServer } from '../harness/mail-server.ts';
import { createPerson, type Person, postJson, readJson } from '../harness/person.ts';
import { comeBack, startSignIn } from '../harness/pool-sign-in.ts';
import { readTable } from '../harness/read-limits.ts';
import { runCli } from '../harness/run-command.ts';
import { startSocialProviders } from '../harness/social-providers.ts';
import { createAuthenticator } from '../harness/software-authenticator.ts';
import { type App, startApp } from '../harness/start-app.ts';
import { createSubscription } from '../harness/start-push-service.ts';
import { stepOverMidnight } from '../harness/step-over-midnight.ts';
import { deliverWebhook, webhookEnv } from '../harness/webhook.ts';
import { withDatabase } from '../harness/with-database.ts';

/** Beyond it nothing is done, and nobody is told: once in an hour. */
const QUIET = 'receiptsResentBySession';
/** What bounds a row that is there once, and added to. */
const ITS_KEY = 'its key';
/** What bounds a request that needs another one each time: "that of POST /prod/checkout". */
const THAT_OF = 'that of ';
const SIGN_IN = 'POST /api/auth/sign-in/email';
const TOO_MANY_SIGN_INS = '/login?next=%2Fdashboard&error=too_many_sign_ins';

const list = (cell: string) => cell.split(', ').sort();

const documented = readTable('What strangers can have written').map(
  ([requests = '', , of = '', limit = '', tables = '']) => ({
    requests: list(requests),
    of,
    limit,
    tables: list(tables),
  }),
);
const counters = documented
  .filter(({ limit }) => limit === ITS_KEY)
  .flatMap(({ tables }) => tables);

/** Gets a new visitor ready for a request, which is made and watched once all are. */
type Prepare = (visitor: Person) => Promise<() => Promise<unknown>>;
/**
 * By request: the tables that get rows each time, and those that get them once, however many come
 * from one address to one link.
 */
type Written = Record<string, { each: string[]; once: string[] }>;

const createEvent = () => ({
  id: `evt_${randomUUID()}`,
  object: 'event',
  type: 'charge.updated',
  livemode: false,
  data: { object: { id: 'ch_1', object: 'charge' } },
});

/** The id of what somebody bought. */
async function readHeldPurchase(person: Person): Promise<string> {
  const { listPurchases } = await graphql<{ listPurchases: { items: { id: string }[] } }>(
    person,
    '{ listPurchases { items { id } } }',
    {},
    await publishableKey(person),
  );
  return listPurchases.items[0]?.id ?? '';
}

describe('strangers', () => {
  const servers: { server: FastifyInstance; routes: string[] }[] = [];
  const collect = (message: unknown) => {
    const { fastify: server } = message as { fastify: FastifyInstance };
    const routes: string[] = [];
    servers.push({ server, routes });
    server.addHook('onRoute', ({ method, url }: RouteOptions) => {
      // Nobody can send TRACE by fetch; it is answered with 404 wherever it is.
      const methods = [method].flat().filter((one) => one !== 'TRACE');
      routes.push(...methods.map((one) => `${one} ${url}`));
    });
  };
  const ahead = stepOverMidnight();
  const now = () => Date.now() + ahead;
  let app: App;
  let mail: MailServer;
  let providers: Awaited<ReturnType<typeof startSocialProviders>>;
  let sandboxPort: number;
  let world: World;
  const smtp = () => ({ SMTP_URL: mail.url, MAIL_FROM: 'shop@example.com' });

  beforeAll(async () => {
    subscribe('fastify.initialization', collect);
    mail = await startMailServer();
    providers = await startSocialProviders();
    sandboxPort = await findFreePort();
    const env = { TRUSTED_PROXIES: '127.0.0.1', ...webhookEnv(sandboxPort), ...providers.env };
    app = await startApp({ env, overrides: { now } });
    world = await createWorld();
    await withDatabase(app, watchTables);
    Object.assign(app.env, smtp());
    await app.restart();
  });
  afterAll(async () => {
    unsubscribe('fastify.initialization', collect);
    await app?.stop();
    providers?.stop();
    await mail?.stop();
  });

  /** The routes of the product as it runs now. One of its pages' files stands for all of them. */
  function routesOf(): string[] {
    const running = servers.find(
      ({ server }) => (server.server.address() as AddressInfo | null)?.port === app.port,
    );
    const routes = [...new Set(running?.routes)];
    const isAsset = (route: string) => route.includes(' /assets/');
    return [...routes.filter((route) => !isAsset(route)), ...routes.filter(isAsset).slice(0, 2)];
  }

  let address = '';
  let addresses = 0;
  /** To where nobody asked from before. */
  function moveOn(): void {
    addresses += 1;
    address = `198.51.${Math.floor(addresses / 250)}.${(addresses % 250) + 1}`;
  }
  /** Somebody with a new browser at this address. */
  function createVisitor(cookies = new Map<string, string>()): Person {
    const person = createPerson(app);
    const from = address;
    for (const [name, value] of cookies) person.cookies.set(name, value);
    return {
      ...person,
      async fetch(path, init = {}) {
        const headers = new Headers(init.headers);
        headers.set('x-forwarded-for', from);
        const answer = await person.fetch(path, { ...init, headers });
        if (await isRefusal(answer)) refusals += 1;
        return answer;
      },
    };
  }
  /** How many answers to visitors said that it was too often. */
  let refusals = 0;
  async function isRefusal(answer: Response): Promise<boolean> {
    if (new URL(answer.url).pathname === '/graphql') {
      return (await answer.clone().text()).includes('"RATE_LIMITED"');
    }
    return answer.status === 429 || answer.headers.get('location') === TOO_MANY_SIGN_INS;
  }

  /** A file on sale, somebody who bought it without an account, and accounts to sign in to. */
  async function createWorld() {
    const seller = await signUp(app);
    const sold = await sellFile(seller);
    await graphql(seller, 'mutation { setSellerPage(handle: "ada", links: []) }');
    for (const input of ['code: "FOR-ALL", percent: 10', 'code: "FREE", percent: 100']) {
      await graphql(seller, `mutation { createDiscount(input: { ${input} }) }`);
    }
    const buyer = createPerson(app);
    const success = new URL(await payFor(buyer, sold.id));
    await waitUntilUnlocked(buyer, sold.id);
    const { text } = await readMail(app, BUYER_EMAIL);
    const told = await readMail(app, seller.email, /^Sold: /);
    await postJson(buyer, '/purchases', { email: BUYER_EMAIL });
    const found = await readMail(app, BUYER_EMAIL, /^Your purchases$/);
    const upload = await announceUpload(seller, { name: 'begun.pdf', size: 10 });
    const careful = [await signUpWithTwoFactor(app), await signUpWithTwoFactor(app)] as const;
    const device = createAuthenticator();
    const { origin } = app;
    const creation = await readJson<Parameters<typeof device.create>[0]>(
      await auth(seller, 'passkey/generate-register-options'),
    );
    const response = device.create(creation, { origin });
    await readJson(await auth(seller, 'passkey/verify-registration', { name: 'Key', response }));
    return {
      seller,
      sold,
      buyer,
      careful,
      device,
      pageKey: await publishableKey(app),
      sessionId: success.searchParams.get('session_id') ?? '',
      download: new URL(await storageUrl(buyer, sold.key ?? '')).pathname,
      personal: /\/access\/\S+/.exec(text)?.[0] ?? '',
      updates: /\/updates\/\S+/.exec(text)?.[0] ?? '',
      notifications: /\/notifications\/\S+/.exec(told.text)?.[0] ?? '',
      invitation: await inviteSomeone(),
      all: /\/purchases\/open\/\S+/.exec(found.text)?.[0] ?? '',
      purchase: await readHeldPurchase(buyer),
      license: await buyLicense(seller),
      gift: await giveTo('ann@example.com'),
      returns: await buyAgainAndAgain('twice@example.com'),
      blob: upload.headers.get('location')?.split('/').at(-1) ?? '',
    };
  }

  /** A license key, and the link that it is of. */
  async function buyLicense(seller: Person): Promise<{ link: string; key: string }> {
    const { id: link } = await sellFile(seller);
    await updateLink(seller, { id: link, licenses: 'generated' });
    const buyer = createPerson(app);
    await payFor(buyer, link);
    await waitUntilUnlocked(buyer, link);
    const { getPaywallLink } = await graphql<{
      getPaywallLink: { licenseKeys: { key: string }[] };
    }>(
      buyer,
      'query ($id: ID!) { getPaywallLink(id: $id) { licenseKeys { key } } }',
      { id: link },
      await publishableKey(app),
    );
    return { link, key: getPaywallLink.licenseKeys[0]?.key ?? '' };
  }

  /** The path at which the buyer of a gift looks after it. */
  async function giveTo(email: string): Promise<string> {
    const giver = createPerson(app);
    const { id: paywallId } = await sellFile(await signUp(app));
    const begun = await postJson(giver, '/prod/checkout', { paywallId, gift: { email } });
    const { url } = await readJson<{ url: string }>(begun);
    await payAt(giver, url, CARDS.pays, 'bob@example.com');
    return /\/gifts\/\S+/.exec((await readMail(app, 'bob@example.com')).text)?.[0] ?? '';
  }

  /** The paths at which purchases of what an address had bought before can be given back. */
  async function buyAgainAndAgain(email: string): Promise<string[]> {
    const { id } = await sellFile(await signUp(app));
    for (let number = 0; number < 9; number += 1) {
      const buyer = createPerson(app);
      await payAt(buyer, await checkOut(buyer, id), CARDS.pays, email);
      await waitUntilUnlocked(buyer, id);
    }
    return eventually(async () => {
      const mails = await readJson<{ text: string }[]>(await fetch(`${app.origin}/mailbox.json`));
      const paths = mails.flatMap(({ text }) => text.match(/\/returns\/\S+/g) ?? []);
      expect(paths).toHaveLength(8);
      return paths;
    });
  }

  /** The path of a link that a stranger was mailed. */
  async function inviteSomeone(): Promise<string> {
    await runCli(app.env, 'user', 'invite', 'invited@example.com');
    const { text } = await readMail(app, 'invited@example.com', /invited to sell/);
    return /\/invitations\/\S+/.exec(text)?.[0] ?? '';
  }
  type World = Awaited<ReturnType<typeof createWorld>>;

  /** The path of a route, with what is there in place of its parameters. */
  function fill(url: string, world: World): string {
    if (url === '/access/:token/code') return `${world.personal}/code`;
    if (url.startsWith('/access/')) return world.personal;
    if (url.startsWith('/gifts/')) return world.gift;
    if (url.startsWith('/returns/')) return world.returns.at(-1) ?? '';
    if (url.startsWith('/updates/')) return world.updates;
    if (url.startsWith('/notifications/')) return world.notifications;
    if (url === '/invitations/:token') return world.invitation;
    if (url.startsWith('/purchases/open/')) return world.all;
    if (url === '/download/:token/:name') return world.download;
    if (url === '/download/:token') return world.download.replace(/[^/]+$/, '').slice(0, -1);
    const values: Record<string, string> = {
      id: world.sold.id,
      session: world.sessionId,
      blob: world.blob,
      provider: 'google',
      prefix: '00',
      name: 'x',
      handle: 'ada',
      link: 'x',
    };
    return url.replace(/:(\w+)(\([^)]*\))?/g, (_parameter, name) => {
      const value = values[name];
      if (value === undefined) throw new Error(`Say what stands for :${name} in ${url}.`);
      return value;
    });
  }

  /** As new visitors and as who bought without an account, with all that routes read. */
  function asksOf(route: string, world: World): Prepare[] {
    const [method = '', url = ''] = route.split(' ');
    const { sold, sessionId, buyer } = world;
    const path = fill(url, world);
    if (method === 'GET' || method === 'HEAD') {
      const query = new URLSearchParams({
        session_id: sessionId,
        key: sold.key ?? '',
        id: sold.id,
        file: '0',
        after: 'a',
        url: `${app.origin}/p/${sold.id}`,
        search: 'notes',
        sort: 'price',
        next: '/upload',
        error: 'x',
        code: 'x',
        state: 'x',
        format: 'json',
      });
      const read = (person: Person, search: string) => async () =>
        (await person.fetch(path + search, { method })).arrayBuffer();
      const again: Prepare = async () => read(createVisitor(buyer.cookies), `?${query}`);
      if (method === 'HEAD') return [again];
      return [
        async (visitor) => read(visitor, ''),
        async (visitor) => read(visitor, `?${query}`),
        again,
      ];
    }
    const body = () => ({
      email: createEmail(),
      password: PASSWORD,
      firstName: 'Ada',
      otp: '123456',
      newEmail: createEmail(),
      newPassword: PASSWORD,
      currentPassword: PASSWORD,
      type: 'email-verification',
      provider: 'google',
      code: '123456',
      confirmation: 'x',
      id: 'x',
      name: 'x',
      response: { id: randomBytes(16).toString('base64url') },
    });
    const headers = {
      'content-type': 'application/json',
      'tus-resumable': '1.0.0',
      'upload-length': '10',
    };
    const write = (person: Person) => async () =>
      (await person.fetch(path, { method, headers, body: JSON.stringify(body()) })).arrayBuffer();
    return [async (visitor) => write(visitor), async () => write(createVisitor(buyer.cookies))];
  }

  /** It is recorded when the last byte is gone. */
  const waitForDelivery = (startedAt: number) =>
    withDatabase(app, (db) =>
      eventually(
        () =>
          db
            .selectFrom('delivery')
            .select('id')
            .where('ended_at', '>=', startedAt)
            .executeTakeFirstOrThrow(),
        { intervalMs: 5 },
      ),
    );

  /** As somebody with an account there, but none here. Comes back to where the product leads to. */
  async function goToProvider(visitor: Person): Promise<() => Promise<string>> {
    const id = randomInt(1, 2 ** 31);
    const of = { id, email: `${id}@example.com` };
    const account = { ...of, name: 'Ada', verified: true, publicEmail: true };
    const authorize = await startSignIn(visitor, { provider: 'github' });
    const callback = providers.consent(authorize, account);
    return () => comeBack(visitor, callback);
  }

  const password = PASSWORD;
  async function signUpUnconfirmed(visitor: Person): Promise<string> {
    const email = createEmail();
    await readJson(await auth(visitor, 'sign-up/email', { email, password, firstName: 'Ada' }));
    return email;
  }

  /** Mails a code instead of signing in, and is bounded as mails are. */
  async function signInUnconfirmed(visitor: Person): Promise<() => Promise<unknown>> {
    const email = await signUpUnconfirmed(visitor);
    return () => auth(visitor, 'sign-in/email', { email, password });
  }

  /** What gets further than that. */
  function furthest(world: World): Record<string, Prepare[]> {
    const { seller, sold, buyer, careful, device } = world;
    const { origin } = app;

    const [withCodes, other] = careful;
    const turns = [withCodes, other].values();
    const beginSecondFactor = async (visitor: Person, { owner } = withCodes) =>
      readJson(await auth(visitor, 'sign-in/email', { email: owner.email, password }));
    async function payWith(visitor: Person, card: string) {
      const page = await checkOut(visitor, sold.id);
      const confirm = (await payAt(visitor, page, card)).headers.get('location') ?? '';
      return { page, confirm };
    }
    const download =
      (url: string): Prepare =>
      async (visitor) =>
      async () => {
        const startedAt = now();
        const answer = await visitor.fetch(fill(url, world));
        expect(answer.status).toBe(200);
        await answer.arrayBuffer();
        await waitForDelivery(startedAt);
      };

    return {
      'POST /prod/checkout': [
        async (visitor) => async () => {
          const body = { paywallId: sold.id, code: 'FOR-ALL' };
          await readJson(await postJson(visitor, '/prod/checkout', body));
        },
        async (visitor) => async () => {
          const body = { paywallId: sold.id, code: 'FREE' };
          await readJson(await postJson(visitor, '/prod/checkout', body));
        },
      ],
      'POST /cart/add': [
        async (visitor) => () => postForm(visitor, '/cart/add', { paywallId: sold.id }),
      ],
      'POST /cart/checkout': [
        async (visitor) => {
          await postForm(visitor, '/cart/add', { paywallId: sold.id, code: 'FOR-ALL' });
          const seen = await readSeen(visitor);
          return () => postForm(visitor, '/cart/checkout', { seen });
        },
        async (visitor) => {
          await postForm(visitor, '/cart/add', { paywallId: sold.id, code: 'FREE' });
          const seen = await readSeen(visitor);
          return () => postForm(visitor, '/cart/checkout', { seen });
        },
      ],
      'POST /sandbox/checkout/:session': [
        async (visitor) => {
          const page = await checkOut(visitor, sold.id);
          return async () => {
            await payAt(visitor, page);
            await waitUntilUnlocked(visitor, sold.id);
          };
        },
      ],
      'POST /sandbox/checkout/:session/confirm': [
        async (visitor) => {
          const { confirm } = await payWith(visitor, CARDS.asksForConfirmation);
          const body = new URLSearchParams({ outcome: 'complete' });
          return async () => {
            await visitor.fetch(confirm, { method: 'POST', body });
            await waitUntilUnlocked(visitor, sold.id);
          };
        },
      ],
      'POST /webhooks/stripe': [
        async () => {
          const event = createEvent();
          return async () => readJson(await deliverWebhook(app, event));
        },
      ],
      'GET /download/:token': [download('/download/:token')],
      'GET /download/:token/:name': [download('/download/:token/:name')],
      // What was counted is written by a stop at the latest.
      'GET /p/:id/view.gif': [
        async (visitor) => async () => {
          await visitor.fetch(`/p/${sold.id}/view.gif`);
          await app.restart();
        },
      ],
      'POST /p/:id/report': [
        async (visitor) => () =>
          visitor.fetch(`/p/${sold.id}/report`, {
            method: 'POST',
            body: new URLSearchParams({ reason: 'other', words: 'It is mine.' }),
          }),
      ],
      'POST /access/:token/code': [
        async (visitor) => () => visitor.fetch(`${world.personal}/code`, { method: 'POST' }),
      ],
      'POST /gifts/:token': [
        async (visitor) => () => postForm(visitor, world.gift, { email: 'ann@example.com' }),
      ],
      'POST /returns/:token': [
        async (visitor) => {
          const path = world.returns.shift() ?? '';
          return () => visitor.fetch(path, { method: 'POST' });
        },
      ],
      'POST /purchases/receipt': [
        async () => {
          const person = createVisitor(buyer.cookies);
          return () => postJson(person, '/purchases/receipt', { id: world.purchase });
        },
      ],
      'POST /licenses/verify': [
        async (visitor) => async () => {
          const asked = { ...world.license, activate: 'The same laptop' };
          await readJson(await postJson(visitor, '/licenses/verify', asked));
        },
      ],
      // Of a browser that is no other's.
      'POST /purchases/forget': [
        async (visitor) => {
          await visitor.fetch(world.all, { method: 'POST' });
          return () => visitor.fetch('/purchases/forget', { method: 'POST' });
        },
      ],
      'POST /api/auth/sign-up/email': [async (visitor) => () => signUpUnconfirmed(visitor)],
      'POST /api/auth/email-otp/send-verification-otp': [
        async (visitor) => {
          const email = await signUpUnconfirmed(visitor);
          return () =>
            auth(visitor, 'email-otp/send-verification-otp', { email, type: 'email-verification' });
        },
      ],
      'POST /api/auth/email-otp/verify-email': [
        async (visitor) => {
          const email = await signUpUnconfirmed(visitor);
          const otp = await mail.readCode(email);
          return async () =>
            readJson(await auth(visitor, 'email-otp/verify-email', { email, otp }));
        },
      ],
      'POST /api/auth/email-otp/request-password-reset': [
        async (visitor) => () =>
          auth(visitor, 'email-otp/request-password-reset', { email: seller.email }),
      ],
      'POST /api/auth/email-otp/reset-password': [
        async (visitor) => {
          const email = await signUpUnconfirmed(visitor);
          const confirmation = { email, otp: await mail.readCode(email) };
          await readJson(await auth(visitor, 'email-otp/verify-email', confirmation));
          await readJson(await auth(visitor, 'email-otp/request-password-reset', { email }));
          await eventually(() => expect(mail.mailsTo(email)).toHaveLength(2), { intervalMs: 5 });
          const reset = { email, otp: await mail.readCode(email), password };
          return async () =>
            readJson(await auth(createVisitor(), 'email-otp/reset-password', reset));
        },
      ],
      [SIGN_IN]: [
        async (visitor) => async () =>
          readJson(await auth(visitor, 'sign-in/email', { email: seller.email, password })),
        async (visitor) => () => beginSecondFactor(visitor),
      ],
      'POST /api/auth/two-factor/verify-totp': [
        async (visitor) => {
          // Each code signs in once: an account for each time.
          const { value: account = withCodes } = turns.next();
          await beginSecondFactor(visitor, account);
          const code = showCode(account.key, 1);
          return async () => readJson(await auth(visitor, 'two-factor/verify-totp', { code }));
        },
      ],
      'POST /api/auth/two-factor/verify-backup-code': [
        async (visitor) => {
          await beginSecondFactor(visitor);
          const code = withCodes.backupCodes.shift();
          return async () =>
            readJson(await auth(visitor, 'two-factor/verify-backup-code', { code }));
        },
      ],
      'POST /api/auth/passkey/verify-authentication': [
        async (visitor) => {
          const options = await readJson<Parameters<typeof device.get>[0]>(
            await auth(visitor, 'passkey/generate-authenticate-options'),
          );
          const response = device.get(options, { origin });
          return async () =>
            readJson(await auth(visitor, 'passkey/verify-authentication', { response }));
        },
      ],
      'GET /api/auth/callback/:provider': [goToProvider],
    };
  }

  /** What comes from the provider as little as from a stranger. */
  function forged(): Record<string, Prepare[]> {
    const headers = { 'stripe-signature': `t=${Math.floor(Date.now() / 1_000)},v1=00` };
    return {
      'POST /webhooks/stripe, forged': [
        async (visitor) => () => postJson(visitor, '/webhooks/stripe', createEvent(), headers),
      ],
    };
  }

  /** Every operation of the schema, as a page asks. */
  function operationsOf(world: World): Record<string, Prepare[]> {
    const operations: Record<string, Prepare[]> = {};
    const { sold, sessionId, buyer, pageKey } = world;
    const values: Record<string, unknown> = {
      id: sold.id,
      sessionId,
      purchaseId: world.purchase,
      days: 30,
      name: 'Notes',
      reason: 'Asked for',
      payoutId: world.purchase,
      country: 'US',
      handle: 'ada',
      code: '123456',
      linkId: sold.id,
      link: sold.id,
      ids: [world.purchase],
      keys: 'KEY-1',
      links: [],
      pinned: true,
      user: sold.owner,
      ...createSubscription('https://push.example.com/x').subscription,
      webhook: world.purchase,
      url: 'https://example.com/',
      paused: true,
      email: 'eve@example.com',
      role: 'seller',
      words: 'A mistake.',
      search: 'eve@example.com',
    };
    const inputs: Record<string, object> = {
      createPaywallLink: { type: 'link', url: 'https://example.com/', price: 500 },
      updatePaywallLink: { id: sold.id, price: 600 },
      deletePaywallLink: { id: sold.id },
      createDiscount: { code: 'MADE', percent: 10 },
      restorePaywallLink: { id: sold.id },
    };
    const write = (kind: string, { name, type, args }: GraphQLField<unknown, unknown>) => {
      const wanted = args.filter(isRequiredArgument);
      const variables = wanted.map((one) => [one.name, inputs[name] ?? values[one.name]]);
      const unknown = variables.find(([, value]) => value === undefined);
      if (unknown) throw new Error(`Say what stands for ${unknown[0]} of ${name}.`);
      const declared = wanted.map((one) => `$${one.name}: ${one.type}`).join(', ');
      const given = wanted.map((one) => `${one.name}: $${one.name}`).join(', ');
      const fields = isLeafType(getNamedType(type)) ? '' : '{ __typename }';
      const call = `${name}${given && `(${given})`} ${fields}`;
      const query = `${kind}${declared && `(${declared})`} { ${call} }`;
      return { query, variables: Object.fromEntries(variables) };
    };
    for (const type of [schema.getQueryType(), schema.getMutationType()]) {
      for (const field of Object.values(type?.getFields() ?? {})) {
        const kind = type === schema.getQueryType() ? 'query' : 'mutation';
        const ask = (person: Person) => async () => {
          const answer = await postJson(person, '/graphql', write(kind, field), pageKey);
          expect(answer.status, field.name).toBe(200);
        };
        operations[`${kind} { ${field.name} }`] = [
          async (visitor) => ask(visitor),
          async () => ask(createVisitor(buyer.cookies)),
        ];
      }
    }
    for (const field of Object.values(schema.getSubscriptionType()?.getFields() ?? {})) {
      operations[`subscription { ${field.name} }`] = [
        async () => async () => {
          const socket = await connectLive(app, { origin: app.origin, keys: pageKey });
          socket.send({ type: 'subscribe', id: 'a', payload: write('subscription', field) });
          await socket.find(
            ({ id, type, payload }) => id === 'a' || (type === 'ping' && payload?.id === 'a'),
          );
          socket.raw.terminate();
          await socket.closed;
        },
      ];
    }
    return operations;
  }

  /** The tables of the product, each with a note of every row that is added. */
  async function watchTables(db: Database): Promise<void> {
    const { rows } = await sql<{ name: string }>`
      select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'
        and name not like 'link_text%'`.execute(db);
    await sql`create table added (name text not null)`.execute(db);
    for (const { name } of rows) {
      const note = sql`insert into added values (${sql.lit(name)})`;
      await sql`create trigger ${sql.ref(`note_${name}`)}
        after insert on ${sql.table(name)} begin ${note}; end`.execute(db);
    }
  }

  async function takeAdded(db: Database): Promise<string[]> {
    const { rows } = await sql<{ name: string }>`delete from added returning name`.execute(db);
    return [...new Set(rows.map(({ name }) => name))].sort();
  }

  /** Waits until nothing that was begun goes on. */
  async function settle(db: Database): Promise<void> {
    // The product has one connection: what was begun before comes first.
    await createPerson(app).fetch('/storage/url?key=none');
    const { rows } = await sql`select name from added limit 1`.execute(db);
    if (rows.length === 0) return;
    await waitUntilIdle(db, sandboxPort, now);
  }

  /** What was asked for last. */
  let before = 'the start';

  /** @returns the tables that got rows of the requests, not of what was made ready for them */
  async function ask(
    db: Database,
    name: string,
    prepares: Prepare[],
    { onNewDay = false } = {},
  ): Promise<string[]> {
    expect(await takeAdded(db), `came late, after ${before}`).toEqual([]);
    before = name;
    const requests: (() => Promise<unknown>)[] = [];
    for (const prepare of prepares) requests.push(await prepare(createVisitor()));
    if ((await takeAdded(db)).length > 0) await settle(db);
    const counted = onNewDay ? counters : [];
    for (const table of counted) await sql`delete from ${sql.table(table)}`.execute(db);
    await takeAdded(db);
    for (const request of requests) await request();
    await settle(db);
    return takeAdded(db);
  }

  /** Asks for it twice, by other visitors. */
  async function drive(db: Database, request: string, prepares: Prepare[]): Promise<Written> {
    moveOn();
    const candidates = `${before} or ${request}`;
    const { each, once } = readDocumented()[request] ?? { each: [], once: [] };
    const askSurely = async (options: { onNewDay?: boolean } = {}) => {
      const added = await ask(db, request, prepares, options);
      const surprising = added.filter((table) => ![...each, ...once].includes(table));
      if (surprising.length === 0) return added;
      // What the request before left behind does not come again.
      before = candidates;
      moveOn();
      const again = await ask(db, request, prepares, { onNewDay: true });
      const late = surprising.filter((table) => !again.includes(table));
      expect(late, `came late, after ${candidates}`).toEqual([]);
      return added;
    };
    const first = await askSurely({ onNewDay: true });
    if (first.length === 0) return {};
    const next = await askSurely();
    // A minute may have begun between the two, and with it the row of a minute.
    const isRare = (table: string) => once.includes(table) && !each.includes(table);
    const after = next.some(isRare) ? await askSurely() : next;
    const always = next.filter((table) => after.includes(table));
    return { [request]: { each: always, once: first.filter((table) => !always.includes(table)) } };
  }

  test('add rows where docs/limits.md says so, and nowhere else', async () => {
    const routes = routesOf();
    const further = furthest(world);
    expect(routes).toEqual(expect.arrayContaining(Object.keys(further)));
    const asks = { ...operationsOf(world), ...further, ...forged() };
    asks[SIGN_IN]?.push(signInUnconfirmed);
    for (const route of routes.filter((route) => !further[route])) {
      // The same code answers both, at times from what the other found.
      const get = route.replace(/^HEAD/, 'GET');
      const name = routes.includes(get) ? get : route;
      asks[name] = [...(asks[name] ?? []), ...asksOf(route, world)];
    }
    const written: Written = {};
    await withDatabase(app, async (db) => {
      for (const [request, prepares] of Object.entries(asks)) {
        Object.assign(written, await drive(db, request, prepares));
      }
      // What is counted meanwhile is written by a stop at the latest.
      await app.restart();
      expect(await takeAdded(db)).toEqual([]);
    });
    expect(written).toEqual(readDocumented());
  });

  /** Asks for it once. `refused` says whether and where it was said that it is too often. */
  async function attempt(db: Database, name: string, prepare: Prepare, visitor = createVisitor()) {
    const known = refusals;
    let refused: 'while preparing' | 'when asked' | null = null;
    let isReady = false;
    const added = await ask(db, name, [
      async () => {
        const request = await prepare(visitor);
        isReady = true;
        return request;
      },
    ]).catch(async (error) => {
      if (refusals === known) throw error;
      await settle(db);
      return takeAdded(db);
    });
    if (refusals > known) refused = isReady ? 'when asked' : 'while preparing';
    return { added, refused };
  }

  test('add rows no further than the limits that docs/limits.md names', async () => {
    const isLimit = (name: string): name is LimitName => name in LIMITS;
    const withMail = routesOf();
    for (const name of Object.keys(smtp())) delete app.env[name];
    const asks = { ...operationsOf(world), ...furthest(world) };
    const asksFor = (request: string) => asks[request] ?? asksOf(request, world);
    const bounded = new Set<string>();
    for (const { requests, of, limit } of documented) {
      if (!isLimit(limit)) continue;
      const figures = LIMITS[limit];
      // Read as the product starts.
      LIMITS[limit] = [[1, 86_400]];
      await app.restart().finally(() => Object.assign(LIMITS, { [limit]: figures }));
      await withDatabase(app, async (db) => {
        for (const request of requests) {
          moveOn();
          const visitor = of === 'a visitor' ? createVisitor() : undefined;
          let isAdding = false;
          for (const prepare of asksFor(request)) {
            const { added } = await attempt(db, request, prepare, visitor);
            if (added.length === 0) continue;
            isAdding = true;
            if (of !== 'a visitor' && of !== 'an address') moveOn();
            const beyond = await attempt(db, request, prepare, visitor);
            const refused = { added: [], refused: limit === QUIET ? null : 'when asked' };
            expect(beyond, `${request} beyond ${limit} of ${of}`).toEqual(refused);
          }
          expect(isAdding, `${request} adds rows up to ${limit}`).toBe(true);
          for (const following of documented.filter((row) => row.limit === THAT_OF + request)) {
            for (const name of following.requests) {
              for (const prepare of asksFor(name)) {
                const beyond = await attempt(db, name, prepare, visitor);
                const refused = { added: [], refused: 'while preparing' };
                expect(beyond, `${name} beyond ${limit} of ${request}`).toEqual(refused);
              }
              bounded.add(`${name}: ${following.limit}`);
            }
          }
        }
      });
    }
    const following = documented.filter(({ limit }) => limit.startsWith(THAT_OF));
    const names = following.flatMap(({ requests, limit }) =>
      requests.map((request) => `${request}: ${limit}`),
    );
    expect([...bounded].sort()).toEqual(names.sort());
    await app.restart();
    await withDatabase(app, async (db) => {
      // These are there only where no mail is sent.
      const written: Written = {};
      for (const route of routesOf().filter((route) => !withMail.includes(route))) {
        Object.assign(written, await drive(db, route, asksOf(route, world)));
      }
      expect(written).toEqual({});
    });
    const page = await (await createVisitor().fetch(TOO_MANY_SIGN_INS)).text();
    expect(page).toContain('too many sign-ins from your network');
  });
});

function readDocumented(): Written {
  const written: Written = {};
  for (const { requests, limit, tables } of documented) {
    for (const request of requests) {
      const { each, once } = written[request] ?? { each: [], once: [] };
      const more = (known: string[]) => [...new Set([...known, ...tables])].sort();
      written[request] = [ITS_KEY, QUIET].includes(limit)
        ? { each, once: more(once) }
        : { each: more(each), once };
    }
  }
  return written;
}
