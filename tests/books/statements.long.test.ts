import { AsyncLocalStorage } from 'node:async_hooks';
import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import type { LogEvent } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { postForm } from '../factories/cart-steps.ts';
import {
  askGraphql,
  publishableKey,
  sellFile,
  signUp,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { checkOut, payAt } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { describeOnBothDatabases } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { readTable } from '../harness/read-limits.ts';
import { untilNoJobIsDue } from '../harness/until-no-job-is-due.ts';
import { useApp } from '../harness/use-app.ts';

const ONE = 'query ($id: ID!) { getPaywallLink(id: $id) { id price title unlocked } }';
const LIST = '{ listPaywallLinks(limit: 50) { items { id price title } nextToken } }';

/** The request that a statement is asked for; what it wakes belongs to it as well. */
const asking = new AsyncLocalStorage<IncomingMessage>();
const requests = channel('http.server.request.start');
const begin = (message: unknown) =>
  asking.enterWith((message as { request: IncomingMessage }).request);

beforeAll(() => requests.subscribe(begin));
afterAll(() => void requests.unsubscribe(begin));

describeOnBothDatabases('statements', (database) => {
  let seen: { text: string; sql: string; of: IncomingMessage | undefined }[] = [];
  const app = useApp({
    database,
    overrides: {
      logStatement({ query: { sql, parameters } }: LogEvent) {
        // Brings counts together a little later, for several requests at once.
        if (sql.includes('insert into shared_count')) return;
        seen.push({ sql, text: `${sql} ${JSON.stringify(parameters)}`, of: asking.getStore() });
      },
    },
  });

  async function pay(buyer: Person, id: string): Promise<void> {
    await payAt(buyer, await checkOut(buyer, id));
    await waitUntilUnlocked(buyer, id);
    await untilNoJobIsDue(app);
  }

  /** What requests to these paths ask the database while the work goes on. */
  async function record(path: RegExp, work: () => Promise<unknown>): Promise<string[]> {
    seen = [];
    await work();
    return seen.filter(({ of }) => path.test(of?.url ?? '')).map(({ text }) => text);
  }

  const ask = (person: Person, query: string, id: string, key: Record<string, string>) =>
    record(/^\/graphql/, () => askGraphql(person, query, { id }, key));
  const open = (person: Person, path: string) =>
    record(new RegExp(`^${path}$`), async () => (await person.fetch(path)).text());

  /** What a webhook asks until it is answered, and what settles the purchase that it tells of. */
  async function recordWebhook(work: () => Promise<unknown>): Promise<[string[], string[]]> {
    seen = [];
    await work();
    return [
      transactionWith('insert into "webhook_event"'),
      transactionWith('update "purchase" set "state"'),
    ];
  }

  function transactionWith(beginning: string): string[] {
    const { of } = seen.find(({ sql }) => sql.startsWith(beginning)) ?? expect.unreachable();
    // Both write, and read nothing; jobs of other events and the queue do beside them.
    const isOfBoth = (sql: string) => /^(begin|insert|update "purchase"|commit)/.test(sql);
    const asked = seen.filter((each) => each.of === of && isOfBoth(each.sql));
    const place = asked.findIndex(({ sql }) => sql.startsWith(beginning));
    const first = asked.findLastIndex(({ sql }, at) => at < place && /^begin/.test(sql));
    const last = asked.findIndex(({ sql }, at) => at > place && sql === 'commit');
    return asked.slice(first, last + 1).map(({ text }) => text);
  }

  test('are as many for each request as docs/statements.md says, and none is asked twice', async () => {
    const seller = await signUp(app);
    const { id } = await sellFile(seller);
    const key = await publishableKey(app);
    const guest = createPerson(app);
    const buyer = createPerson(app);
    await pay(buyer, id);
    const content = await buyer.fetch(`/p/${id}/content`, { redirect: 'manual' });
    const download = content.headers.get('location') ?? '';
    await (await buyer.fetch(download)).bytes();
    const stranger = createPerson(app);
    const another = createPerson(app);
    const [stored, settled] = await recordWebhook(() => pay(stranger, id));
    const measured = {
      'Get a link by its id, a guest': await ask(guest, ONE, id, key),
      'Get a link by its id, its buyer': await ask(buyer, ONE, id, key),
      'Get a link by its id, its creator': await ask(seller, ONE, id, key),
      'List of 50 links': await ask(guest, LIST, id, key),
      '/p/:id, the first guest': await open(guest, `/p/${id}`),
      '/p/:id, the guests after them': await open(guest, `/p/${id}`),
      '/p/:id, its buyer': await open(buyer, `/p/${id}`),
      '/p/:id, its creator': await open(seller, `/p/${id}`),
      '/purchases, a buyer': await open(buyer, '/purchases'),
      '/dashboard': await open(seller, '/dashboard'),
      '/dashboard/money': await open(seller, '/dashboard/money'),
      '/account': await open(seller, '/account'),
      'Sales as CSV': await open(seller, '/dashboard/sales.csv'),
      '/cart, of three links': await openCart(),
      Checkout: await record(/^\/prod/, () => checkOut(another, id)),
      'The way to a download': await record(/content$/, () =>
        buyer.fetch(`/p/${id}/content`, { redirect: 'manual' }),
      ),
      'A download, its record included': await recordDownload(() => buyer.fetch(download)),
      'Webhook: writes until it is answered': stored,
      'Webhook: writes that settle the purchase': settled,
    };
    async function openCart(): Promise<string[]> {
      const browser = createPerson(app);
      const links = [id, (await sellFile(seller)).id, (await sellFile(await signUp(app))).id];
      for (const paywallId of links) await postForm(browser, '/cart/add', { paywallId });
      return open(browser, '/cart');
    }
    const counts = Object.entries(measured).map(([what, asked]) => [what, String(asked.length)]);
    const column = database === 'sqlite' ? 1 : 2;
    const told = readTable('Statements of each request', 'docs/statements.md').map((row) => [
      row[0],
      row[column],
    ]);
    expect(told).toEqual(counts);
    for (const asked of Object.values(measured)) {
      const repeated = asked.filter((text, place) => asked.indexOf(text) !== place);
      expect(repeated).toEqual([]);
    }
  });

  /** What was sent is written down after the last byte. */
  async function recordDownload(work: () => Promise<Response>): Promise<string[]> {
    seen = [];
    await (await work()).bytes();
    return eventually(() => {
      const asked = seen.filter(({ of }) => of?.url?.startsWith('/download/'));
      if (!asked.some(({ sql }) => sql.startsWith('insert into "delivered_file"'))) {
        throw new Error('The download is not recorded yet.');
      }
      return asked.map(({ text }) => text);
    });
  }
});
