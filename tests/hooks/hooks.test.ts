import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../server/ground/database/tables.ts';
import { sweepHooks } from '../../server/notices/hooks/sweep-hooks.ts';
import { auth } from '../factories/account-requests.ts';
import {
  askGraphql,
  createLink,
  graphql,
  PASSWORD,
  readMail,
  readUserId,
  sellFile,
  signUp,
  updateLink,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { BUYER_EMAIL, payFor } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { runCli } from '../harness/run-command.ts';
import { startReceiver, type Taken } from '../harness/start-receiver.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const ROOT = join(import.meta.dirname, '../..');

const CREATE = `mutation ($url: String!, $all: Boolean) {
  createWebhook(url: $url, allSellers: $all) { secret webhook { id url state allSellers } }
}`;
const LIST = '{ listWebhooks { items { id state failingSince earlierSecretUntil } } }';
const EVENTS = `query ($id: ID!, $after: String) {
  listWebhookEvents(webhook: $id, nextToken: $after) {
    nextToken items { id type body state attempts { at ms status answer } }
  }
}`;
const PAUSE =
  'mutation ($id: ID!, $paused: Boolean!) { setWebhookPaused(id: $id, paused: $paused) }';
const ROTATE = 'mutation ($id: ID!) { rotateWebhookSecret(id: $id) { secret } }';
const RESEND =
  'mutation ($webhook: ID!, $id: ID!) { resendWebhookEvent(webhook: $webhook, id: $id) }';
const DELETE = 'mutation ($id: ID!) { deleteWebhook(id: $id) }';
const REFUND = `mutation ($id: ID!) {
  refundSale(purchaseId: $id, amount: 400, reason: "As agreed.") { id }
}`;

interface Event {
  id: string;
  type: string;
  body: string;
  state: string;
  attempts: { at: string; ms: number; status: number | null; answer: string }[];
}

const typesOf = (taken: Taken[]) => taken.map(({ body }) => JSON.parse(body).type);
const idsOf = (taken: Taken[]) => taken.map(({ headers }) => headers['webhook-id']);

describeOnSqliteFirst('a webhook', (database) => {
  let ahead = 0;
  const app = useApp({
    database,
    env: { WEBHOOK_ALLOW_PRIVATE: 'true' },
    overrides: { now: () => Date.now() + ahead },
  });
  let seller: Awaited<ReturnType<typeof signUp>>;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  let hook: { id: string; secret: string };
  const ends: (() => void)[] = [];

  beforeAll(async () => {
    seller = await signUp(app);
    receiver = await startReceiver();
    ends.push(receiver.stop);
    hook = await createHook(seller, receiver.url);
  });
  afterAll(() => {
    for (const end of ends) end();
  });

  async function createHook(person: Person, url: string, all = false) {
    type Made = { createWebhook: { secret: string; webhook: { id: string } } };
    const { createWebhook } = await graphql<Made>(person, CREATE, { url, all });
    return { id: createWebhook.webhook.id, secret: createWebhook.secret };
  }
  type Listed = { id: string; state: string; failingSince: string | null };
  const listHooks = async () =>
    (await graphql<{ listWebhooks: { items: Listed[] } }>(seller, LIST)).listWebhooks.items;
  const readEvents = async (id = hook.id, person: Person = seller) =>
    (await graphql<{ listWebhookEvents: { items: Event[] } }>(person, EVENTS, { id }))
      .listWebhookEvents.items;
  const codeOf = async (person: Person, query: string, variables: Record<string, unknown>) =>
    (await askGraphql(person, query, variables)).errors?.[0]?.extensions?.code;
  const waitFor = (count: number, { taken } = receiver) =>
    eventually(() => expect(taken.length).toBe(count));
  const changeLink = async () => {
    const { id } = await createLink(seller, { type: 'link', url: 'https://example.com/secret' });
    return id;
  };

  test('is told what happens to its owner, signed, and nothing of buyers or of what is sold', async () => {
    const sold = await sellFile(seller, { price: 1000, name: 'hidden-name.pdf' });
    await updateLink(seller, { id: sold.id, title: 'Renamed' });
    const buyer = createPerson(app);
    await payFor(buyer, sold.id);
    await waitUntilUnlocked(buyer, sold.id);
    await eventually(() => expect(typesOf(receiver.taken)).toContain('sale.created'));
    const { data } = JSON.parse(
      receiver.taken.find(({ body }) => body.includes('sale.created'))?.body ?? '',
    );
    expect(data).toMatchObject({
      owner: await readUserId(seller),
      sale: { linkId: sold.id, title: 'Renamed', gross: 1000, fee: 80, net: 920, test: true },
    });
    await graphql(seller, REFUND, { id: data.sale.id });
    await eventually(() => expect(typesOf(receiver.taken)).toContain('sale.refunded'));
    expect(new Set(typesOf(receiver.taken))).toEqual(
      new Set(['link.created', 'link.updated', 'sale.created', 'sale.refunded']),
    );
    for (const { headers, body } of receiver.taken) {
      expect(new Webhook(hook.secret).verify(body, headers as never)).toEqual(JSON.parse(body));
      expect(headers['content-type']).toBe('application/json');
      expect(body).not.toMatch(/hidden-name|secret/);
      expect(body).not.toContain(BUYER_EMAIL);
    }
    expect(new Set(idsOf(receiver.taken)).size).toBe(receiver.taken.length);
    // It is written down after the receiver has answered.
    await eventually(async () => {
      const events = await readEvents();
      expect(events.map(({ state }) => state)).toEqual(events.map(() => 'delivered'));
    });
    // Of others, nobody is told, and nobody sees what was.
    const other = await signUp(app);
    for (const query of [EVENTS, DELETE, ROTATE]) {
      expect(await codeOf(other, query, { id: hook.id })).toBe('NOT_FOUND');
    }
    const stranger = await startReceiver();
    ends.push(stranger.stop);
    await createHook(other, stranger.url);
    const before = receiver.taken.length;
    await changeLink();
    await waitFor(before + 1);
    expect(stranger.taken).toEqual([]);
    const rows = await withDatabase(app, (db) => db.selectFrom('hook').selectAll().execute());
    expect(JSON.stringify(rows)).not.toContain(hook.secret.slice('whsec_'.length));
  });

  test('gets each event once it is up again, with the same id, and meanwhile delays nobody', async () => {
    const hanging = await startReceiver();
    ends.push(hanging.stop);
    hanging.answerWith('never');
    const { id: hangingId } = await createHook(seller, hanging.url);
    receiver.answerWith('wrong');
    receiver.taken.length = 0;
    await changeLink();
    await waitFor(1);
    await waitFor(1, hanging);
    const [first] = idsOf(receiver.taken);
    for (let hours = 0; hours < 24; hours += 8) {
      const tries = receiver.taken.length;
      ahead += 8 * HOUR_MS;
      await changeLink();
      await eventually(() => expect(receiver.taken.length).toBeGreaterThan(tries));
    }
    // While it rests, what happens is not even tried.
    await changeLink();
    await withDatabase(app, (db) =>
      eventually(async () => {
        const job = db.selectFrom('job').where('payload', 'like', `%${hook.id}%`).select('run_at');
        const { rest_until: restUntil } = await db
          .selectFrom('hook')
          .where('id', '=', hook.id)
          .select('rest_until')
          .executeTakeFirstOrThrow();
        expect((await job.execute()).map(({ run_at: at }) => at)).toEqual([restUntil]);
      }),
    );
    expect((await readEvents())[0]?.attempts).toEqual([]);
    const [failing] = (await listHooks()).filter(({ id }) => id === hook.id);
    expect(failing).toMatchObject({ state: 'on', failingSince: expect.any(String) });
    const waiting = (await readEvents()).filter(({ state }) => state === 'waiting');
    expect(waiting).toHaveLength(5);
    const [attempt] = waiting.at(-1)?.attempts ?? [];
    expect(attempt).toMatchObject({ status: 500, answer: expect.stringMatching(/^Out of.order/) });
    expect(attempt?.answer.length).toBeLessThanOrEqual(1024);
    const newcomer = `newcomer-${database}@example.com`;
    await seller.fetch('/api/auth/sign-up/email', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: newcomer, password: PASSWORD, name: 'New', firstName: 'New' }),
    });
    await readMail(app, newcomer);
    receiver.taken.length = 0;
    receiver.answerWith('well');
    ahead += HOUR_MS;
    await eventually(async () => {
      const left = (await readEvents()).filter(({ state }) => state === 'waiting');
      expect(left).toEqual([]);
    });
    const ids = idsOf(receiver.taken);
    expect([...ids].sort()).toEqual(waiting.map(({ id }) => id).sort());
    expect(ids).toContain(first);
    // It never answered, and the other one had everything all the same.
    const unheard = await readEvents(hangingId);
    expect(unheard.map(({ state }) => state)).toEqual(unheard.map(() => 'waiting'));
    await graphql(seller, DELETE, { id: hangingId });
    expect(await listHooks()).toHaveLength(1);
  });

  test('follows no redirect, is asked again on demand, and hears nothing while it is paused', async () => {
    receiver.taken.length = 0;
    receiver.answerWith('elsewhere');
    await changeLink();
    await waitFor(1);
    await eventually(async () =>
      expect((await readEvents())[0]).toMatchObject({
        state: 'waiting',
        attempts: [{ status: 302 }],
      }),
    );
    receiver.answerWith('well');
    const [event] = await readEvents();
    await graphql(seller, RESEND, { webhook: hook.id, id: event?.id });
    await waitFor(2);
    await eventually(async () => expect((await readEvents())[0]?.state).toBe('delivered'));
    await graphql(seller, RESEND, { webhook: hook.id, id: event?.id });
    await waitFor(3);
    expect(new Set(idsOf(receiver.taken))).toEqual(new Set([event?.id]));
    await graphql(seller, PAUSE, { id: hook.id, paused: true });
    expect(await codeOf(seller, RESEND, { webhook: hook.id, id: event?.id })).toBe('INVALID_INPUT');
    await changeLink();
    await graphql(seller, PAUSE, { id: hook.id, paused: false });
    await changeLink();
    await waitFor(4);
    const [last, before] = await readEvents();
    expect(last?.id).toBe(receiver.taken[3]?.headers['webhook-id']);
    expect(before?.id).toBe(event?.id);
  });

  test('has a new secret beside the one before for a day', async () => {
    ahead = 0;
    const former = hook.secret;
    const { rotateWebhookSecret } = await graphql<{ rotateWebhookSecret: { secret: string } }>(
      seller,
      ROTATE,
      { id: hook.id },
    );
    hook.secret = rotateWebhookSecret.secret;
    expect(hook.secret).not.toBe(former);
    const verify = (secret: string) => {
      const { headers, body } = receiver.taken[0] as Taken;
      return new Webhook(secret).verify(body, headers as never);
    };
    receiver.taken.length = 0;
    await changeLink();
    await waitFor(1);
    for (const secret of [former, hook.secret]) expect(verify(secret)).toBeTruthy();
    ahead = DAY_MS;
    receiver.taken.length = 0;
    await changeLink();
    await waitFor(1);
    expect(String(receiver.taken[0]?.headers['webhook-signature']).split(' ')).toHaveLength(1);
  });

  test('ends by itself after three days, with an email, and can be turned on again', async () => {
    // After all events before.
    ahead = 2 * DAY_MS;
    receiver.answerWith('wrong');
    receiver.taken.length = 0;
    await changeLink();
    await waitFor(1);
    // Noted before the time passes, or the three days would begin after it.
    await eventually(async () => {
      expect(await listHooks()).toMatchObject([{ failingSince: expect.any(String) }]);
    });
    ahead += 3 * DAY_MS;
    await waitFor(2);
    const { text: said } = await readMail(app, seller.email, /A webhook of your account/);
    expect(said).toContain(receiver.url);
    expect(await listHooks()).toMatchObject([{ state: 'ended' }]);
    expect((await readEvents())[0]?.state).toBe('given_up');
    await changeLink();
    receiver.answerWith('well');
    await graphql(seller, PAUSE, { id: hook.id, paused: false });
    expect(await listHooks()).toMatchObject([{ state: 'on', failingSince: null }]);
    await changeLink();
    await waitFor(3);
    // A month later, what was told is forgotten.
    const forget = (at: number) => withDatabase(app, (db) => sweepHooks(db, at));
    const now = Date.now() + ahead;
    await forget(now + 29 * DAY_MS);
    expect(await readEvents()).not.toEqual([]);
    await forget(now + 31 * DAY_MS);
    expect(await readEvents()).toEqual([]);
    // Of what waits, the newest 10,000 do.
    const waiting = await withDatabase(app, async (db) => {
      const columns = sql`id, hook_id, type, body, state, attempts, wanted_at, due_at, created_at`;
      await sql`
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 10002)
        insert into hook_message (${columns})
        select ${hook.id} || '-' || i, ${hook.id}, 'link.created', '{}', 'waiting', 0,
          ${sql.lit(now)}, ${sql.lit(now + 40 * DAY_MS)}, ${sql.lit(now)} + i from n`.execute(db);
      await sweepHooks(db, now);
      return db
        .selectFrom('hook_message')
        .where('hook_id', '=', hook.id)
        .groupBy('state')
        .orderBy('state')
        .select(({ fn }) => ['state', fn.countAll().as('count'), fn.min('created_at').as('first')])
        .execute();
    });
    expect(waiting.map((row) => ({ ...row, count: Number(row.count) }))).toEqual([
      { state: 'given_up', count: 2, first: now + 1 },
      { state: 'waiting', count: 10_000, first: now + 3 },
    ]);
    await withDatabase(app, (db) =>
      db.deleteFrom('hook_message').where('hook_id', '=', hook.id).execute(),
    );
  });

  test('of an operator is told of all sellers, for as long as they are one; a suspended seller of nothing', async () => {
    ahead = 0;
    const operator = await signUp(app);
    const operatorId = await readUserId(operator);
    await withDatabase(app, (db) =>
      db.insertInto('operator').values({ user_id: operatorId, granted_at: 1 }).execute(),
    );
    const office = await startReceiver();
    ends.push(office.stop);
    expect(await codeOf(seller, CREATE, { url: office.url, all: true })).toBe('NOT_FOUND');
    await createHook(operator, office.url, true);
    receiver.taken.length = 0;
    const id = await changeLink();
    await waitFor(1);
    await waitFor(1, office);
    expect(JSON.parse(office.taken[0]?.body ?? '').data).toMatchObject({
      link: { id, state: 'on_sale' },
      owner: await readUserId(seller),
    });
    await runCli(app.env, 'user', 'suspend', seller.email, '--reason', 'A reason.');
    await runCli(app.env, 'link', 'take-down', id, '--reason', 'A reason.');
    await waitFor(2, office);
    expect(JSON.parse(office.taken[1]?.body ?? '').data.link.state).toBe('taken_down');
    expect(receiver.taken).toHaveLength(1);
    const untold = await withDatabase(app, (db) =>
      db
        .selectFrom('hook_message')
        .where('body', 'like', '%taken_down%')
        .select('hook_id')
        .execute(),
    );
    expect(untold.map(({ hook_id }) => hook_id)).not.toContain(hook.id);
    await withDatabase(app, (db) =>
      db.deleteFrom('operator').where('user_id', '=', operatorId).execute(),
    );
    const { id: other } = await createLink(operator, { type: 'link', url: 'https://example.com/' });
    await eventually(async () => {
      const read = (db: Database) =>
        db.selectFrom('hook').select('state').where('all_sellers', '=', 1);
      expect(await withDatabase(app, (db) => read(db).execute())).toEqual([{ state: 'ended' }]);
    });
    expect(office.taken.map(({ body }) => body).join()).not.toContain(other);
    expect(await graphql(operator, LIST)).toEqual({ listWebhooks: { items: [] } });
  });

  test('goes with its account, which has five at most', async () => {
    ahead = 0;
    const creator = await signUp(app);
    const made: { id: string }[] = [];
    for (let i = 0; i < 5; i += 1) made.push(await createHook(creator, receiver.url));
    expect(await codeOf(creator, CREATE, { url: receiver.url })).toBe('TOO_MANY_WEBHOOKS');
    expect(await codeOf(creator, CREATE, { url: 'https://a:b@example.com' })).toBe('INVALID_URL');
    await createLink(creator, { type: 'link', url: 'https://example.com/' });
    await eventually(async () => expect(await readEvents(made[0]?.id, creator)).toHaveLength(1));
    const id = await readUserId(creator);
    const read = () =>
      withDatabase(app, (db) =>
        db
          .selectFrom('hook')
          .leftJoin('hook_message', 'hook_message.hook_id', 'hook.id')
          .where('hook.owner_id', '=', id)
          .select('hook_message.id')
          .execute(),
      );
    expect((await read()).map((row) => typeof row.id)).toEqual(made.map(() => 'string'));
    const deletion = { confirmation: creator.email, password: PASSWORD };
    expect((await auth(creator, 'delete-user', deletion)).status).toBe(200);
    expect(await read()).toEqual([]);
  });
});

describeOnSqliteFirst('the receiver of docs/webhooks.md', (database) => {
  const app = useApp({ database, env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
  let child: ChildProcess | undefined;
  const folder = mkdtempSync(join(tmpdir(), 'padlink-receiver-'));
  afterAll(() => {
    child?.kill();
    rmSync(folder, { recursive: true });
  });

  test('handles each event once, also those of the time when it was down', {
    tags: 'long',
  }, async () => {
    const guide = readFileSync(join(ROOT, 'docs', 'webhooks.md'), 'utf8');
    const [, lines = ''] = /^```js\n(.*?)^```/ms.exec(guide) ?? [];
    writeFileSync(join(folder, 'receiver.mjs'), lines);
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const port = await findFreePort();
    const seller = await signUp(app);
    const url = `http://127.0.0.1:${port}/`;
    const { createWebhook } = await graphql<{
      createWebhook: { secret: string; webhook: { id: string } };
    }>(seller, CREATE, { url });
    const sell = () => createLink(seller, { type: 'link', url: 'https://example.com/' });
    await sell();
    await sell();
    const read = async () => {
      const { listWebhookEvents } = await graphql<{ listWebhookEvents: { items: Event[] } }>(
        seller,
        EVENTS,
        { id: createWebhook.webhook.id },
      );
      return listWebhookEvents.items;
    };
    await eventually(async () =>
      expect((await read()).flatMap(({ attempts }) => attempts)[0]).toMatchObject({ status: null }),
    );
    child = spawn(process.execPath, ['receiver.mjs'], {
      cwd: folder,
      env: { PORT: String(port), WEBHOOK_SECRET: createWebhook.secret },
    });
    const delivered = (count: number) =>
      eventually(async () => {
        const states = (await read()).map(({ state }) => state);
        expect(states).toEqual(Array.from({ length: count }, () => 'delivered'));
      });
    await delivered(2);
    const [event] = await read();
    await graphql(seller, RESEND, { webhook: createWebhook.webhook.id, id: event?.id });
    await sell();
    await delivered(3);
    const forged = await fetch(url, { method: 'POST', body: event?.body ?? '' });
    expect(forged.status).toBe(400);
    const db = new DatabaseSync(join(folder, 'events.sqlite'), { readOnly: true });
    const kept = db.prepare('select id from event').all() as { id: string }[];
    db.close();
    expect(kept.map(({ id }) => id).sort()).toEqual((await read()).map(({ id }) => id).sort());
  });
});
