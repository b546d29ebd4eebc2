import type { LogEvent } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProviderProxy } from '../errors/provider-proxy.ts';
import { sellFile, signUp } from '../factories/factories.ts';
import { CARDS, checkOut, payAt } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { describeOnBothDatabases } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { readTable } from '../harness/read-limits.ts';
import { untilNoJobIsDue } from '../harness/until-no-job-is-due.ts';
import { useApp } from '../harness/use-app.ts';
import { deliverWebhook, findEvent, stripeOf, webhookEnv } from '../harness/webhook.ts';

const provider = await startProviderProxy();
const sandboxPort = Number(provider.env.SANDBOX_PORT);
afterAll(provider.stop);

/** The queue's own, which many jobs share, and what brings the counts of processes together. */
const IS_SHARED = /^(select|update|delete)\b.*"job" (set|where)|shared_count/;

describeOnBothDatabases('one whole sale', (database) => {
  let seen: string[] = [];
  const app = useApp({
    database,
    env: webhookEnv(sandboxPort),
    overrides: {
      ...provider.overrides,
      logStatement({ query: { sql } }: LogEvent) {
        if (!IS_SHARED.test(sql)) seen.push(sql);
      },
    },
  });
  let id: string;
  let goods: Uint8Array;

  beforeAll(async () => {
    // Events are sent when it is their turn.
    await stripeOf(sandboxPort).webhookEndpoints.update('we_sandbox', { disabled: true });
    const sold = await sellFile(await signUp(app));
    ({ id, bytes: goods } = sold);
    await buy(createPerson(app), 'first@example.com');
    await untilNoJobIsDue(app);
  });

  async function tell(type: string): Promise<void> {
    await deliverWebhook(app, await findEvent(sandboxPort, type));
    await untilNoJobIsDue(app);
  }

  async function buy(buyer: Person, email: string): Promise<Uint8Array> {
    seen = [];
    await (await buyer.fetch(`/p/${id}`)).text();
    const paid = await payAt(buyer, await checkOut(buyer, id), CARDS.pays, email);
    await tell('checkout.session.completed');
    await (await buyer.fetch(paid.headers.get('location') ?? '')).text();
    const way = await buyer.fetch(`/p/${id}/content`);
    const bytes = await (await buyer.fetch(way.headers.get('location') ?? '')).bytes();
    // What was sent is written down after the last byte, in two statements in either order.
    await eventually(() => {
      for (const table of ['delivery', 'delivered_file']) {
        const isRecorded = seen.some((sql) => sql.startsWith(`insert into "${table}"`));
        if (!isRecorded) throw new Error(`There is no row of ${table} yet.`);
      }
    });
    return bytes;
  }

  test('asks provider and database as often as docs/statements.md says', async () => {
    const buyer = createPerson(app);
    provider.takeRequests();
    expect(await buy(buyer, 'second@example.com')).toEqual(goods);
    const calls = provider.takeRequests();
    const column = database === 'sqlite' ? 1 : 2;
    const told = readTable('One whole sale', 'docs/statements.md').map((row) => [
      row[0],
      row[column],
    ]);
    const counts = {
      'Calls to the provider': calls.length,
      Statements: seen.length,
      // Several connections do not say which transaction a statement is of.
      'Changes, each flushed': database === 'sqlite' ? countChanges(seen) : '–',
    };
    // Which statements there were tells why they were more or fewer.
    expect(told, seen.join('\n')).toEqual(
      Object.entries(counts).map(([what, count]) => [what, String(count)]),
    );
  });
});

/** Transactions, and what is written outside of one. */
function countChanges(statements: string[]): number {
  let isInside = false;
  let changes = 0;
  for (const sql of statements) {
    if (sql.startsWith('begin')) isInside = true;
    if (sql === 'commit' || (!isInside && /^(insert|update|delete)/.test(sql))) changes += 1;
    if (sql === 'commit') isInside = false;
  }
  return changes;
}
