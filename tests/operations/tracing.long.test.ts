import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { graphql, readMail, sellFile, signUp, waitUntilUnlocked } from '../factories/factories.ts';
import { BUYER_EMAIL, payFor } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { gatherLog } from '../harness/gather-log.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson } from '../harness/person.ts';
import { type App, startApp } from '../harness/start-app.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

interface Sent {
  resourceSpans: { resource: object; scopeSpans: { spans: Span[] }[] }[];
}

/** What takes traces by OTLP over HTTP, as an OpenTelemetry Collector does. */
async function startCollector() {
  const sent: Sent[] = [];
  const server = createServer(async (request, response) => {
    if (request.url === '/v1/traces') sent.push((await json(request)) as Sent);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    spans: () =>
      sent.flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

describeOnSqliteFirst('traces', (database) => {
  let collector: Awaited<ReturnType<typeof startCollector>>;
  let app: App;
  const { logTo, readLog } = gatherLog();

  beforeAll(async () => {
    collector = await startCollector();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_SERVICE_NAME: 'shop' };
    app = await startApp({ database, env: { ...env, LOG_LEVEL: 'warn' }, overrides: { logTo } });
  });
  afterAll(async () => {
    await app?.stop();
    collector?.stop();
  });

  test('follow a sale through requests, statements, the provider and jobs, and name nobody', async () => {
    const seller = await signUp(app);
    const { id, owner } = await sellFile(seller);
    const buyer = createPerson(app);
    await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
    const { text } = await readMail(app, BUYER_EMAIL);
    const traceparent = `00-${TRACE}-${CALLER}-01`;
    expect(
      (await createPerson(app).fetch(`/p/${id}?ref=secret`, { headers: { traceparent } })).status,
    ).toBe(200);
    await graphql(seller, '{ listPaywallLinks { items { id } } }');
    // Sends what is left.
    await app.pause();

    const spans = collector.spans();
    const childrenOf = (parent: Span) =>
      spans.filter((span) => span.parentSpanId === parent.spanId);
    const named = (name: string) => spans.filter((span) => span.name === name);
    expect(named('GET /p/:id').find((span) => span.traceId === TRACE)).toMatchObject({
      parentSpanId: CALLER,
    });
    const [checkout] = named('POST /prod/checkout');
    if (!checkout) throw new Error('No span of the checkout.');
    const below = childrenOf(checkout).map(({ name }) => name);
    expect(below).toContain('insert');
    expect(below).toContain('POST 127.0.0.1');
    const [query] = named('POST /graphql');
    expect(query && childrenOf(query).map(({ name }) => name)).toContain('select');
    const [receipt] = named('job send-receipt');
    expect(receipt && childrenOf(receipt).length).toBeGreaterThan(0);
    expect(JSON.stringify(collector.sent[0]?.resourceSpans[0]?.resource)).toContain('"shop"');

    const everything = JSON.stringify(collector.sent);
    const personal = /\/access\/(\S+)/.exec(text)?.[1] ?? '';
    expect(personal.length).toBeGreaterThan(10);
    for (const secret of [personal, BUYER_EMAIL, seller.email, owner, id, 'ref=secret']) {
      expect(everything).not.toContain(secret);
    }
    await app.restart();
  });

  test('that nobody takes hold up nothing', async () => {
    collector.stop();
    const { id } = await sellFile(await signUp(app));
    const buyer = createPerson(app);
    await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
    await app.restart();
    await eventually(() => expect(readLog()).toContain('the collector took no traces'));
    expect((await buyer.fetch(`/p/${id}`)).status).toBe(200);
  });
});
