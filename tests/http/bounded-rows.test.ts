import { beforeAll, expect, test } from 'vitest';
import type { Overrides } from '../../server/app.ts';
import type { Database } from '../../server/ground/database/tables.ts';
import { enqueue } from '../../server/ground/outbox/jobs.ts';
import { checkLedger } from '../../server/money/payments/check-ledger.ts';
import { sweepUnpaidCheckouts } from '../../server/selling/checkout/sweep-unpaid-checkouts.ts';
import { selectPurchases } from '../../server/selling/purchases/queries.ts';
import { checkOutCart, postForm } from '../factories/cart-steps.ts';
import {
  createLink,
  readMail,
  seeLink,
  sellFile,
  signUp,
  storageUrl,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { BUYER_EMAIL, checkOut, payAt, payFor } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { stepOverMidnight } from '../harness/step-over-midnight.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const MINUTE_MS = 60 * 1000;
const DAY_MS = 24 * 60 * MINUTE_MS;

describeOnSqliteFirst('of what strangers and buyers leave in the database', (database) => {
  let ahead = stepOverMidnight();
  const overrides: Overrides = { now: () => Date.now() + ahead };
  const env = { TRUSTED_PROXIES: '127.0.0.1' };
  const app = useApp({ database, overrides, env });
  let seller: Person;
  let buyer: Person;
  let sold: Awaited<ReturnType<typeof sellFile>>;

  beforeAll(async () => {
    seller = await signUp(app);
    sold = await sellFile(seller);
    buyer = createPerson(app);
    await payFor(buyer, sold.id);
    await waitUntilUnlocked(buyer, sold.id);
  });

  const read = <Result>(work: (db: Database) => Promise<Result>) => withDatabase(app, work);
  const deliveries = () =>
    read((db) => db.selectFrom('delivery').selectAll().orderBy('outcome').orderBy('day').execute());

  test('all parts of a download that ended alike are one row a day', async () => {
    const askFor = async (first: number, last: number) => {
      const url = await storageUrl(buyer, sold.key ?? '');
      return fetch(url, { headers: { range: `bytes=${first}-${last}` } });
    };
    const parts = await Promise.all(Array.from({ length: 30 }, (_, i) => askFor(i + 5, i + 5)));
    for (const part of parts) expect(part.status).toBe(206);
    const first = { outcome: 'delivered', first_byte: 5, bytes_sent: 30, responses: 30 };
    await eventually(async () => expect(await deliveries()).toMatchObject([first]));
    await (await askFor(0, 99)).arrayBuffer();
    const second = { ...first, first_byte: 0, bytes_sent: 130, responses: 31 };
    await eventually(async () => expect(await deliveries()).toMatchObject([second]));
    ahead += DAY_MS;
    await (await askFor(7, 8)).arrayBuffer();
    ahead -= DAY_MS;
    const third = { ...first, first_byte: 7, bytes_sent: 2, responses: 1 };
    await eventually(async () => expect(await deliveries()).toMatchObject([second, third]));
    const [{ day, started_at, ended_at } = { day: 0, started_at: 0, ended_at: 0 }, next] =
      await deliveries();
    expect(next?.day).toBe((day ?? 0) + 1);
    expect(ended_at).toBeGreaterThan(started_at);
    // A row of no day would be one more each time: the databases take no two nulls for the same.
    const withoutDay = { ...next, id: 'without-day', day: null } as never;
    const adding = read((db) => db.insertInto('delivery').values(withoutDay).execute());
    await expect(adding).rejects.toThrow(/not[- ]null/i);
  });

  test('the browsers of a personal link are the latest hundred, and the one that paid', async () => {
    const { text } = await readMail(app, BUYER_EMAIL);
    const personal = /https?:\/\/\S+\/access\/\S+/.exec(text)?.[0] ?? '';
    const open = async (address: string, person = createPerson(app)) => {
      const headers = { 'x-forwarded-for': address };
      return { person, answer: await person.fetch(personal, { method: 'POST', headers }) };
    };
    const first = await open('198.51.100.1');
    expect(await seeLink(first.person, sold.id)).toMatchObject({ unlocked: true });
    await read(async (db) => {
      const { grant_id } = await db
        .selectFrom('grant_claim')
        .select('grant_id')
        .executeTakeFirstOrThrow();
      await db
        .updateTable('grant_claim')
        .set({ claimed_at: 1 })
        .where('claimed_at', '>', 0)
        .execute();
      const others = Array.from({ length: 99 }, (_, i) => ({
        grant_id,
        claim_hash: `other${i}`,
        claimed_at: 2 + i,
        proven: 1,
      }));
      await db.insertInto('grant_claim').values(others).execute();
    });
    // Once more by the same browser is no new one, and makes it the latest.
    await open('198.51.100.1', first.person);
    const last = await open('198.51.100.1');
    const claims = await read((db) => db.selectFrom('grant_claim').select('claim_hash').execute());
    expect(claims).toHaveLength(101);
    expect(claims.map(({ claim_hash }) => claim_hash)).not.toContain('other0');
    for (const { person } of [first, last, { person: buyer }]) {
      expect(await seeLink(person, sold.id)).toMatchObject({ unlocked: true });
    }
    for (let opened = 3; opened < 30; opened += 1) await open('198.51.100.1', last.person);
    expect((await open('198.51.100.1')).answer.status).toBe(429);
    expect((await open('198.51.100.2')).answer.status).toBe(303);
  });

  /** As the provider reports it a while later; its clock stands still here. */
  const endUnpaid = (link: string) =>
    read((db) =>
      db
        .updateTable('purchase')
        .set({ state: 'expired' })
        .where('link_id', '=', link)
        .where('state', '=', 'open')
        .execute(),
    );

  test('checkouts of which a person may have to know stay for longer', async () => {
    const { id } = await createLink(seller, { type: 'link', url: 'https://example.com/' });
    const checkoutUrl = await checkOut(buyer, id);
    const [purchase] = await read((db) =>
      db
        .updateTable('purchase')
        .set({ price_cents: 77 })
        .where('link_id', '=', id)
        .returningAll()
        .execute(),
    );
    const purchaseId = purchase?.id ?? '';
    const sweep = () =>
      read(async (db) => {
        await sweepUnpaidCheckouts(db, (purchase?.expires_at ?? 0) + 91 * DAY_MS);
        return db
          .selectFrom('purchase')
          .select(['state', 'settled_at'])
          .where('id', '=', purchaseId)
          .execute();
      });
    const forget = (payload: object) =>
      read((db) =>
        db.deleteFrom('job').where('payload', '=', JSON.stringify(payload)).executeTakeFirst(),
      );
    expect((await payAt(buyer, checkoutUrl)).status).toBe(303);
    const dead = await eventually(() =>
      read((db) =>
        db
          .selectFrom('job')
          .select('payload')
          .where('died_at', 'is not', null)
          .where('last_error', 'like', `%${purchaseId}: paid % instead of 77 cents%`)
          .executeTakeFirstOrThrow(),
      ),
    );
    const event: { eventId: string } = JSON.parse(dead.payload);
    await forget({ purchaseId });
    const handle = (at: number | null) =>
      read((db) =>
        db
          .updateTable('webhook_event')
          .set({ handled_at: at })
          .where('id', '=', event.eventId)
          .execute(),
      );
    // Paid, but not what was offered: neither settled nor ended.
    await handle(Number.MAX_SAFE_INTEGER);
    expect(await sweep()).toEqual([{ state: 'open', settled_at: null }]);
    await handle(null);
    await endUnpaid(id);
    expect(await sweep()).toHaveLength(1);
    await handle(Number.MAX_SAFE_INTEGER);
    await read((db) => enqueue(db, 'follow-checkout', { purchaseId }, 0, Number.MAX_SAFE_INTEGER));
    expect(await sweep()).toHaveLength(1);
    await forget({ purchaseId });
    await forget(event);
    expect(await sweep()).toEqual([]);
  });

  test('a cart of which a person may have to know stays as a whole', async () => {
    const visitor = createPerson(app);
    const ids: string[] = [];
    for (const price of [300, 400]) {
      const { id } = await createLink(seller, { type: 'link', url: 'https://example.com/', price });
      await postForm(visitor, '/cart/add', { paywallId: id });
      ids.push(id);
    }
    expect((await checkOutCart(visitor)).status).toBe(303);
    await Promise.all(ids.map(endUnpaid));
    const lines = await read((db) =>
      selectPurchases(db).where('link_id', 'in', ids).orderBy('line').execute(),
    );
    const [first] = lines;
    const payloads = [
      { sessionId: first?.session_id },
      ...lines.map(({ id }) => ({ purchaseId: id })),
    ].map((payload) => JSON.stringify(payload));
    const countSwept = (jobs: string[]) =>
      read(async (db) => {
        await db.deleteFrom('job').where('payload', 'in', payloads).execute();
        for (const job of jobs) {
          await enqueue(db, 'follow-checkout', JSON.parse(job), 0, Number.MAX_SAFE_INTEGER);
        }
        await sweepUnpaidCheckouts(db, (first?.expires_at ?? 0) + 91 * DAY_MS);
        const left = await db
          .selectFrom('purchase')
          .where('link_id', 'in', ids)
          .select('id')
          .execute();
        return lines.length - left.length;
      });
    for (const job of payloads) expect(await countSwept([job])).toBe(0);
    expect(await countSwept([])).toBe(2);
  });

  test('checkouts that nobody paid, and events, are forgotten after 90 days, but stay counted', async () => {
    const { id } = await createLink(seller, { type: 'link', url: 'https://example.com/' });
    await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
    await checkOut(createPerson(app), id);
    await endUnpaid(id);
    const purchases = () =>
      read((db) => db.selectFrom('purchase').selectAll().where('link_id', '=', id).execute());
    const unpaid = (await purchases()).find(({ settled_at }) => settled_at === null);
    const endedAt = unpaid?.expires_at ?? 0;
    const handled = {
      type: 'charge.updated',
      mode: 'test',
      payload: '{}',
      received_at: 1,
    } as const;
    await read(async (db) => {
      await db
        .insertInto('webhook_event')
        .values([
          { ...handled, id: 'handled', handled_at: endedAt },
          { ...handled, id: 'unhandled', handled_at: null },
        ])
        .execute();
      await db.deleteFrom('job').where('kind', '=', 'follow-checkout').execute();
      await sweepUnpaidCheckouts(db, endedAt + 90 * DAY_MS);
    });
    expect(await purchases()).toHaveLength(2);
    ahead = endedAt + 91 * DAY_MS - Date.now();
    overrides.sweepEveryMs = 100;
    await app.restart();
    await eventually(async () => expect(await purchases()).toHaveLength(1));
    const events = () => read((db) => db.selectFrom('webhook_event').select('id').execute());
    await eventually(async () => {
      const ids = (await events()).map((event) => event.id);
      expect(ids).toContain('unhandled');
      expect(ids).not.toContain('handled');
    });
    expect(await seeLink(buyer, id)).toMatchObject({ unlocked: true });
    const counted = await read((db) =>
      db.selectFrom('link_statistics').selectAll().where('link_id', '=', id).execute(),
    );
    expect(counted).toMatchObject([{ checkouts: 2, swept_checkouts: 1, sales: 1 }]);
    expect(await read(checkLedger)).toEqual([]);
  });
});
