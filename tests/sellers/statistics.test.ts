import { beforeEach, expect, test } from 'vitest';
import { askGraphql, graphql, publishableKey, sellFile, signUp } from '../factories/factories.ts';
import { expectBooks, sellOnce } from '../factories/money.ts';
import { checkOut } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { stepOverMidnight } from '../harness/step-over-midnight.ts';
import { useApp } from '../harness/use-app.ts';
import { stripeOf } from '../harness/webhook.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const sandboxPort = await findFreePort();

type Statistics = { views: number; checkouts: number; sales: number; refunds: number };
type Day = Statistics & { day: string; net: number; returned: number };

const STATISTICS = `query ($id: ID!) {
  getPaywallLink(id: $id) { statistics { views checkouts sales refunds } }
}`;
const DAYS = `query ($days: Int!) {
  getSalesByDay(days: $days) { day views checkouts sales refunds net returned }
}`;
const QUIET = { views: 0, checkouts: 0, sales: 0, refunds: 0, net: 0, returned: 0 };

describeOnSqliteFirst('the statistics of a creator', (database) => {
  let clock = 0;
  const app = useApp({
    database,
    env: { PAYMENTS: 'sandbox', SANDBOX_PORT: String(sandboxPort) },
    overrides: { now: () => Date.now() + clock },
  });
  let creator: Person;

  beforeEach(async () => {
    // No day ends during a test.
    clock = stepOverMidnight();
    creator = await signUp(app);
  });

  const dayBefore = (days: number) =>
    new Date(Date.now() + clock - days * DAY_MS).toISOString().slice(0, 10);

  async function readStatistics(person: Person, id: string): Promise<Statistics | null> {
    const headers = await publishableKey(app);
    const { getPaywallLink: link } = await graphql<{
      getPaywallLink: { statistics: Statistics | null };
    }>(person, STATISTICS, { id }, headers);
    return link.statistics;
  }

  async function readDays(person: Person, days: number): Promise<Day[]> {
    return (await graphql<{ getSalesByDay: Day[] }>(person, DAYS, { days })).getSalesByDay;
  }

  async function expectStatistics(id: string, expected: Partial<Statistics>): Promise<void> {
    await eventually(async () => {
      expect(await readStatistics(creator, id)).toMatchObject(expected);
    });
  }

  /** Loads the image by which the paywall page is counted. */
  async function view(id: string, init: RequestInit = {}, person = createPerson(app)) {
    const answer = await person.fetch(`/p/${id}/view.gif`, init);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('image/gif');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.getSetCookie()).toEqual([]);
  }

  /** The middle of a day: a visitor is not known from one day to the next. */
  function goToNoon(): void {
    clock = Math.ceil(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2 - Date.now();
  }

  /** What was counted is written at the end of a process, and every few seconds before. */
  const writeViews = () => app.restart();

  const withAgent = (agent: string) => ({ headers: { 'user-agent': agent } });

  test('lead from views over checkouts to sales and refunds, for each link and each day', {
    tags: 'long',
  }, async () => {
    const { id, payment } = await sellOnce(creator, sandboxPort);
    await view(id, withAgent('one'));
    await view(id, withAgent('two'));
    await checkOut(createPerson(app), id);
    const untouched = await sellFile(creator);
    await expectStatistics(id, { views: 4, checkouts: 2, sales: 1, refunds: 0 });
    await expectStatistics(untouched.id, { views: 0, checkouts: 0, sales: 0, refunds: 0 });
    await stripeOf(sandboxPort).refunds.create({ payment_intent: payment });
    await expectBooks(app, id, {
      provider: 59,
      platform_fee: 0,
      creator: 0,
      processing_cost: -59,
    });
    await expectStatistics(id, { sales: 1, refunds: 1 });
    const today = { views: 4, checkouts: 2, sales: 1, refunds: 1, net: 920, returned: 920 };
    expect(await readDays(creator, 3)).toEqual([
      { ...QUIET, day: dayBefore(2) },
      { ...QUIET, day: dayBefore(1) },
      { ...today, day: dayBefore(0) },
    ]);
  });

  test('move on with the days and keep each of them', { tags: 'long' }, async () => {
    const { id } = await sellFile(creator);
    await view(id);
    clock += 2 * DAY_MS;
    await view(id);
    await writeViews();
    expect(await readStatistics(creator, id)).toMatchObject({ views: 2 });
    expect((await readDays(creator, 4)).map(({ day, views }) => [day, views])).toEqual([
      [dayBefore(3), 0],
      [dayBefore(2), 1],
      [dayBefore(1), 0],
      [dayBefore(0), 1],
    ]);
    expect((await readDays(creator, 2)).map(({ views }) => views)).toEqual([0, 1]);
  });

  test('never show more checkouts than views, and count the view of a checkout once', async () => {
    const [{ id }, { id: other }] = [await sellFile(creator), await sellFile(creator)];
    await view(id);
    await view(other);
    await checkOut(createPerson(app), id);
    expect(await readStatistics(creator, id)).toMatchObject({ views: 1, checkouts: 1 });
    await checkOut(createPerson(app), id);
    expect(await readStatistics(creator, id)).toMatchObject({ views: 2, checkouts: 2 });
    await expectStatistics(other, { views: 1, checkouts: 0 });
    await checkOut(createPerson(app), other);
    await view(other);
    await writeViews();
    expect(await readStatistics(creator, other)).toMatchObject({ views: 1, checkouts: 1 });
    expect(await readStatistics(creator, id)).toMatchObject({ views: 2, checkouts: 2 });
  });

  test('count a visitor of a link once in half an hour, and another browser beside it', async () => {
    const [one, other] = [await sellFile(creator), await sellFile(creator)];
    goToNoon();
    for (let visit = 0; visit < 3; visit += 1) await view(one.id, withAgent('phone'));
    await view(one.id, withAgent('laptop'));
    await view(other.id, withAgent('phone'));
    clock += 31 * 60 * 1000;
    await view(one.id, withAgent('phone'));
    await writeViews();
    expect(await readStatistics(creator, one.id)).toMatchObject({ views: 3 });
    expect(await readStatistics(creator, other.id)).toMatchObject({ views: 1 });
  });

  test('count at most 20 views of a link by one address in half an hour, whatever browsers it names', async () => {
    const [one, other] = [await sellFile(creator), await sellFile(creator)];
    goToNoon();
    for (let agent = 0; agent < 25; agent += 1) await view(one.id, withAgent(`agent ${agent}`));
    await view(other.id, withAgent('agent 24'));
    clock += 31 * 60 * 1000;
    await view(one.id, withAgent('agent 24'));
    await writeViews();
    expect(await readStatistics(creator, one.id)).toMatchObject({ views: 21 });
    expect(await readStatistics(creator, other.id)).toMatchObject({ views: 1 });
  });

  test('do not count the owner, what is fetched ahead, robots, and links that are gone', async () => {
    const { id } = await sellFile(creator);
    const gone = await sellFile(creator);
    await graphql(creator, 'mutation ($id: ID!) { deletePaywallLink(input: { id: $id }) { id } }', {
      id: gone.id,
    });
    await view(id, {}, creator);
    await view(id, { headers: { 'sec-purpose': 'prefetch;anonymous-client-ip' } });
    await view(id, withAgent('Mozilla/5.0 (compatible; Googlebot/2.1)'));
    await view(id, { method: 'HEAD' });
    await view(gone.id);
    await view('ffffffff');
    await view(id, withAgent('Mozilla/5.0 (Linux; Android 13; CUBOT X19)'));
    await writeViews();
    expect(await readStatistics(creator, id)).toMatchObject({ views: 1 });
    expect((await readDays(creator, 1))[0]?.views).toBe(1);
  });

  test('are shown to the owner alone', async () => {
    const { id, buyer } = await sellOnce(creator, sandboxPort);
    for (const person of [buyer, createPerson(app), await signUp(app)]) {
      expect(await readStatistics(person, id)).toBeNull();
    }
    const refused = await askGraphql(
      createPerson(app),
      DAYS,
      { days: 7 },
      await publishableKey(app),
    );
    expect(refused.errors?.[0]?.extensions?.code).toBe('UNAUTHORIZED');
    expect((await readDays(await signUp(app), 1))[0]).toEqual({ ...QUIET, day: dayBefore(0) });
  });

  test('are told of 1 to 366 days, and refused for more or fewer', async () => {
    expect(await readDays(creator, 366)).toHaveLength(366);
    for (const days of [0, -1, 367]) {
      const { errors } = await askGraphql(creator, DAYS, { days });
      expect(errors?.[0]).toMatchObject({
        message: 'Ask for 1 to 366 days.',
        extensions: { code: 'INVALID_INPUT' },
      });
    }
  });
});
