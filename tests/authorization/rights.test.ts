import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startProviderProxy } from '../errors/provider-proxy.ts';
import { runSql } from '../errors/run-sql.ts';
import { graphql, storageUrl, updateLink, waitUntilUnlocked } from '../factories/factories.ts';
import { checkOut, payAt } from '../factories/payment.ts';
import { createSecretKey, programWith, SERVICE_KEY } from '../factories/secret-key.ts';
import { eventually } from '../harness/eventually.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { deliverWebhook, stripeOf, webhookEnv } from '../harness/webhook.ts';
import { withDatabase } from '../harness/with-database.ts';
import { type Caller, gatherCallers, type People } from './callers.ts';
import { DELETE, sellCanary } from './links.ts';
import { LINK_OPERATIONS, type World } from './operations.ts';
import { readTable } from './read-table.ts';

const VIEWERS = [
  'publishable key',
  'other guest',
  "other creator's session",
  "other creator's secret key",
  "buyer's secret key",
  'guest who bought',
  'signed-in buyer',
  "buyer's bearer",
  "owner's session",
  "owner's secret key",
  'service key',
] as const;

type Viewer = (typeof VIEWERS)[number];

/**
 * One letter for each way: page, getPaywallLink, /p/:id/content, /storage/url, /storage/list.
 * U unlocked; o the same though `unlocked` is false; l locked; - not there; x refused. The other guest
 * bought another link of the owner.
 * A key opens no page: whoever has one gets the page that is the same for everybody.
 */
const RIGHTS = `
                       | publ. | other | other | other | buyer | guest | buyer | buyer | owner | owner | serv.
                       | key   | guest | sess. | key   | key   | buyer | sess. | bear. | sess. | key   | key
bought                 | lllx- | lllx- | lllx- | lllx- | lllx- | UUUUU | UUUUU | UUUUU | UoUUU | loUUU | loUU-
refunded               | lllx- | lllx- | lllx- | lllx- | lllx- | lllx- | lllx- | lllx- | UoUUU | loUUU | loUU-
disputed               | lllx- | lllx- | lllx- | lllx- | lllx- | lllx- | lllx- | lllx- | UoUUU | loUUU | loUU-
bought, paused         | lllx- | lllx- | lllx- | lllx- | lllx- | UUUUU | UUUUU | UUUUU | UoUUU | loUUU | loUU-
bought, deleted        | --lx- | --lx- | --lx- | --lx- | --lx- | UUUUU | UUUUU | UUUUU | --lUU | --lUU | UoUU-
bought, taken down     | --lx- | --lx- | --lx- | --lx- | --lx- | --lx- | --lx- | --lx- | --lxU | --lxU | UoUU-
free                   | UUUU- | UUUU- | UUUU- | UUUU- | UUUU- | UUUU- | UUUU- | UUUU- | UUUUU | UUUUU | UUUU-
free, then paused      | lllx- | lllx- | lllx- | lllx- | lllx- | lllx- | lllx- | lllx- | UUUUU | lUUUU | lUUU-
free, then deleted     | --lx- | --lx- | --lx- | --lx- | --lx- | --lx- | --lx- | --lx- | --lUU | --lUU | UUUU-
free, then priced      | lllx- | lllx- | lllx- | lllx- | lllx- | lllx- | lllx- | lllx- | UoUUU | loUUU | loUU-
free, then taken down  | --lx- | --lx- | --lx- | --lx- | --lx- | --lx- | --lx- | --lx- | --lxU | --lxU | UUUU-
`;

const HOLDERS = ['guest who bought', 'signed-in buyer', "owner's session"] as const;

/**
 * What an address that was given out before gives to whoever opens it now: by GET, HEAD and for a
 * range; h on hold. Of a free link it was given to anybody.
 */
const OLDER_ADDRESSES = `
                       | guest | buyer | owner
                       | buyer | sess. | sess.
bought                 | UUU   | UUU   | UUU
refunded               | xxx   | xxx   | UUU
disputed               | hhh   | hhh   | UUU
bought, paused         | UUU   | UUU   | UUU
bought, deleted        | UUU   | UUU   | xxx
bought, taken down     | xxx   | xxx   | xxx
free                   | UUU   | UUU   | UUU
free, then paused      | xxx   | xxx   | UUU
free, then deleted     | xxx   | xxx   | xxx
free, then priced      | xxx   | xxx   | UUU
free, then taken down  | xxx   | xxx   | xxx
`;

const rights = readTable(RIGHTS, VIEWERS);
const olderAddresses = readTable(OLDER_ADDRESSES, HOLDERS);
const STATES = Object.keys(rights);

const WAYS = ['getPaywallLink', 'GET /p/:id/content', 'GET /storage/url', 'GET /storage/list'];

const provider = await startProviderProxy();
afterAll(provider.stop);
const sandboxPort = Number(provider.env.SANDBOX_PORT);
const stripe = stripeOf(sandboxPort);

const letterOf = ({ ok, status }: Response) => {
  if (ok) return 'U';
  return { 403: 'x', 409: 'h' }[status] ?? String(status);
};

interface Sold {
  id: string;
  key: string;
  secrets: string[];
  addresses: Record<(typeof HOLDERS)[number], string>;
}

describe('who has which right', () => {
  const env = { ...webhookEnv(sandboxPort), SERVICE_KEY };
  const app = useApp({ env, overrides: provider.overrides });
  let people: People;
  let viewers: Record<Viewer, Caller>;
  const links: Record<string, Sold> = {};

  beforeAll(async () => {
    people = await gatherCallers(app);
    const { guest, buyer, callers } = people;
    const otherGuest = createPerson(app);
    const pageKey = callers['publishable key'].keys['x-api-key'] ?? '';
    const byKey = (key: string, person?: Person) => ({
      person: programWith(app, key, person),
      keys: {},
    });
    viewers = {
      ...callers,
      'other guest': byKey(pageKey, otherGuest),
      "buyer's secret key": byKey((await createSecretKey(buyer)).secret),
      "buyer's bearer": withBearer(buyer),
    };
    await buy(otherGuest, (await sellCanary(people.owner)).id);
    for (const state of STATES) links[state] = await sell(state);
    await Promise.all(STATES.map((state) => bring(links[state] as Sold, state)));

    /** Sold to the guest and to the account, or given away, with addresses given out by then. */
    async function sell(state: string): Promise<Sold> {
      const link = await sellCanary(people.owner);
      if (state.startsWith('free')) await updateLink(people.owner, { id: link.id, unlocked: true });
      else await Promise.all([guest, buyer].map((person) => buy(person, link.id)));
      const addresses = {
        'guest who bought': await storageUrl(guest, link.key),
        'signed-in buyer': await storageUrl(viewers['signed-in buyer'].person, link.key),
        "owner's session": await storageUrl(people.owner, link.key),
      };
      return { ...link, addresses };
    }
  });

  /** Nothing but the token of the session, as a program sends it. */
  function withBearer(person: Person): Caller {
    const token = decodeURIComponent(person.cookies.get('padlink.session_token') ?? '');
    const bare = createPerson(app);
    const fetch: Person['fetch'] = (path, init = {}) => {
      const headers = new Headers(init.headers);
      headers.set('authorization', `Bearer ${token}`);
      return bare.fetch(path, { ...init, headers });
    };
    return { person: { ...bare, fetch }, keys: {} };
  }

  const payments = new Map<string, string[]>();

  async function buy(person: Person, id: string): Promise<void> {
    const answer = await payAt(person, await checkOut(person, id));
    const success = new URL(answer.headers.get('location') ?? '');
    await waitUntilUnlocked(person, id);
    const session = success.searchParams.get('session_id') ?? '';
    const { payment_intent } = await stripe.checkout.sessions.retrieve(session);
    payments.set(id, [...(payments.get(id) ?? []), String(payment_intent)]);
  }

  const disputes: { id: string; payment_intent: string }[] = [];

  async function dispute(payment_intent: string): Promise<void> {
    const object = { id: `du_${payment_intent}`, object: 'dispute', payment_intent };
    const opened = {
      ...object,
      amount: 1000,
      status: 'needs_response',
      balance_transactions: [],
      evidence: {},
      evidence_details: { due_by: null, submission_count: 0 },
      created: 0,
    };
    disputes.push(opened);
    provider.answerWith((answer, path) => {
      const data = disputes.filter((known) => path.includes(known.payment_intent));
      return path.startsWith('/v1/disputes?') ? { ...answer, data } : answer;
    });
    const event = { id: `evt_${object.id}`, object: 'event', livemode: false };
    await deliverWebhook(app, { ...event, type: 'charge.dispute.created', data: { object } });
  }

  async function bring({ id }: Sold, state: string): Promise<void> {
    const { owner } = people;
    for (const payment of payments.get(id) ?? []) {
      if (state === 'refunded') await stripe.refunds.create({ payment_intent: payment });
      if (state === 'disputed') await dispute(payment);
    }
    const grants = { refunded: 'ended', disputed: 'suspended' }[state];
    if (grants) await waitUntilGrantsAre(grants, id);
    if (state.endsWith('paused')) await updateLink(owner, { id, paused: true });
    if (state.endsWith('deleted')) await graphql(owner, DELETE, { id });
    if (state.endsWith('priced')) await updateLink(owner, { id, unlocked: false });
    if (state.endsWith('taken down')) {
      await runSql(app, `update link set taken_down_at = 1 where id = '${id}'`);
    }
  }

  const waitUntilGrantsAre = (state: string, link: string) =>
    withDatabase(app, (db) =>
      eventually(async () => {
        const grants = await db
          .selectFrom('access_grant')
          .where('link_id', '=', link)
          .select('state')
          .execute();
        expect(grants).toEqual([{ state }, { state }]);
      }),
    );

  async function lookAtPage({ person }: Caller, { id, secrets }: Sold): Promise<string> {
    const page = await person.fetch(`/p/${id}`);
    if (page.status === 404) return '-';
    const words = await page.text();
    return secrets.some((secret) => words.includes(secret)) ? 'U' : 'l';
  }

  test.each(STATES)('%s: each viewer gets in each way what the table says', async (state) => {
    const link = links[state] as Sold;
    const found: Record<string, string> = {};
    for (const viewer of VIEWERS) {
      const caller = viewers[viewer];
      found[viewer] = await lookAtPage(caller, link);
      for (const way of WAYS) {
        found[viewer] += await LINK_OPERATIONS[way]?.(people as World, caller, link);
      }
    }
    expect(found).toEqual(rights[state]);
  });

  test.each(STATES)(
    '%s: an address that was given out before gives what the table says',
    async (state) => {
      const { addresses, secrets } = links[state] as Sold;
      const found: Record<string, string> = {};
      for (const holder of HOLDERS) {
        const get = await fetch(addresses[holder]);
        const head = await fetch(addresses[holder], { method: 'HEAD' });
        const range = await fetch(addresses[holder], { headers: { range: 'bytes=0-9' } });
        found[holder] = [get, head, range].map(letterOf).join('');
        for (const answer of [get, range]) {
          const given = secrets[0]?.startsWith((await answer.text()).slice(0, 10));
          expect(given, holder).toBe(found[holder] === 'UUU');
        }
      }
      expect(found).toEqual(olderAddresses[state]);
    },
  );
});
