import { globSync, readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { sellFile, signUp, storageUrl, waitUntilUnlocked } from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson } from '../harness/person.ts';
import { startApp } from '../harness/start-app.ts';
import { useApp } from '../harness/use-app.ts';

const TOKEN = 'of-prometheus-'.repeat(3);
const METRICS_PORT = String(await findFreePort());
const OWN_PORT = `http://127.0.0.1:${METRICS_PORT}`;

/** The value of a figure with these labels, in whatever order. */
function findValue(text: string, name: string, labels: Record<string, string> = {}): number | null {
  const line = text
    .split('\n')
    .find(
      (candidate) =>
        (candidate.startsWith(`${name}{`) || candidate.startsWith(`${name} `)) &&
        Object.entries(labels).every(([label, value]) => candidate.includes(`${label}="${value}"`)),
    );
  return line === undefined ? null : Number(line.split(' ').at(-1));
}

describeOnSqliteFirst('figures', (database) => {
  const app = useApp({ database, env: { METRICS_TOKEN: TOKEN, METRICS_PORT } });
  const ask = (authorization?: string) =>
    fetch(`${app.origin}/metrics`, { headers: authorization ? { authorization } : {} });
  const read = async () => (await ask(`Bearer ${TOKEN}`)).text();

  test('are for whoever has the token, and for this machine at the port of their own', async () => {
    for (const other of [undefined, 'Bearer ', `Bearer ${TOKEN}x`, `Basic ${TOKEN}`]) {
      expect((await ask(other)).status).toBe(404);
    }
    const answer = await ask(`Bearer ${TOKEN}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
    expect((await fetch(`${OWN_PORT}/`)).status).toBe(404);
    expect(await (await fetch(`${OWN_PORT}/metrics`)).text()).toContain('padlink_info{version=');
  });

  test('count what was sold, sent and asked for, by nothing that names anyone', {
    tags: 'long',
  }, async () => {
    const seller = await signUp(app);
    const { id, key } = await sellFile(seller, { size: 3_000 });
    const buyer = createPerson(app);
    await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
    await (await buyer.fetch(await storageUrl(buyer, key ?? ''))).bytes();
    await buyer.fetch(`/p/${id}`);
    await eventually(async () => {
      const text = await read();
      const sale = { entry: 'sale', account: 'creator', side: 'credit', mode: 'test' };
      expect(findValue(text, 'padlink_booked_cents_total', sale)).toBe(445);
      expect(findValue(text, 'padlink_delivered_bytes_total')).toBe(3_000);
      const page = { method: 'GET', route: '/p/:id', status: '200' };
      expect(findValue(text, 'padlink_http_request_duration_seconds_count', page)).toBe(1);
      const receipt = { kind: 'send-receipt', outcome: 'done' };
      expect(findValue(text, 'padlink_job_duration_seconds_count', receipt)).toBe(1);
      const statements = findValue(text, 'padlink_database_statement_duration_seconds_count');
      expect(statements).toBeGreaterThan(10);
      const pool = findValue(text, 'padlink_database_connections', { state: 'total' });
      expect(pool === null).toBe(database === 'sqlite');
      for (const secret of [id, seller.email, 'notes.pdf']) expect(text).not.toContain(secret);
    });
  });

  test('are all that the dashboard and the alerts ask for', async () => {
    const given = new Set(
      [...(await read()).matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [String(name)],
      ),
    );
    const files = globSync('deploy/{grafana-dashboard.json,prometheus-alerts.yaml}');
    expect(files).toHaveLength(2);
    for (const file of files) {
      const names = readFileSync(file, 'utf8').match(/\b(padlink|nodejs|process)_\w+/g) ?? [];
      expect(names.length).toBeGreaterThan(5);
      expect([...new Set(names)].filter((name) => !given.has(name))).toEqual([]);
    }
  });
});

test('without a token or port there is nothing to read', { tags: 'long' }, async () => {
  const app = await startApp();
  onTestFinished(() => app.stop());
  expect((await fetch(`${app.origin}/metrics`)).status).toBe(404);
});
