import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProviderProxy } from '../errors/provider-proxy.ts';
import { runSql } from '../errors/run-sql.ts';
import { sellFile, signUp, waitUntilUnlocked } from '../factories/factories.ts';
import { checkOut, payAt } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { type App, startApp } from '../harness/start-app.ts';
import { deliverWebhook, findEvent, webhookEnv } from '../harness/webhook.ts';
import { withDatabase } from '../harness/with-database.ts';

describeOnSqliteFirst('an event that the provider sends again', (database) => {
  let proxy: Awaited<ReturnType<typeof startProviderProxy>>;
  let sandboxPort: number;
  let app: App;
  let seller: Person;

  beforeAll(async () => {
    proxy = await startProviderProxy();
    sandboxPort = Number(proxy.env.SANDBOX_PORT);
    app = await startApp({
      database,
      env: webhookEnv(sandboxPort),
      overrides: proxy.overrides,
    });
    seller = await signUp(app);
  });
  afterAll(async () => {
    await app?.stop();
    proxy?.stop();
  });

  /** A payment whose event cannot be handled, because the provider does not answer. */
  async function payWhileDown() {
    const { id } = await sellFile(seller);
    const buyer = createPerson(app);
    const checkoutUrl = await checkOut(buyer, id);
    proxy.fail('down');
    expect((await payAt(buyer, checkoutUrl)).status).toBe(303);
    const event = await findEvent(sandboxPort, 'checkout.session.completed');
    const job = await eventually(async () => {
      const failed = await findJob(event.id);
      expect(failed?.last_error).toMatch(/Stripe/);
      return failed;
    });
    return { id, buyer, event, job };
  }

  const findJob = (eventId: string) =>
    withDatabase(app, (db) =>
      db
        .selectFrom('job')
        .selectAll()
        .where('payload', '=', JSON.stringify({ eventId }))
        .executeTakeFirst(),
    );

  test('is handled although it had been given up', async () => {
    const { id, buyer, event, job } = await payWhileDown();
    await eventually(async () => {
      await runSql(app, `update job set died_at = 1, locked_until = 0 where id = '${job?.id}'`);
      expect(await findJob(event.id)).toMatchObject({ died_at: 1, locked_until: 0 });
    });
    proxy.fail('none');
    expect((await deliverWebhook(app, event)).status).toBe(200);
    await waitUntilUnlocked(buyer, id);
    await eventually(async () => expect(await findJob(event.id)).toBeUndefined());
  });

  test('is handled at once although its next try is far away', async () => {
    const { id, buyer, event, job } = await payWhileDown();
    const later = Date.now() + 3_600_000;
    await runSql(app, `update job set run_at = ${later}, locked_until = 0 where id = '${job?.id}'`);
    proxy.fail('none');
    expect((await deliverWebhook(app, event)).status).toBe(200);
    await waitUntilUnlocked(buyer, id);
  });

  test('is handled again when what it led to is not there', async () => {
    const { id, buyer, event, job } = await payWhileDown();
    await runSql(
      app,
      `delete from job where id = '${job?.id}';
       update webhook_event set handled_at = 1 where id = '${event.id}'`,
    );
    proxy.fail('none');
    expect((await deliverWebhook(app, event)).status).toBe(200);
    await waitUntilUnlocked(buyer, id);
  });

  test('survives nine hours without the provider, and is handled when it is back', async () => {
    const { id, buyer, job } = await payWhileDown();
    await runSql(
      app,
      `update job set attempts = 14, run_at = 0, locked_until = 0, last_error = 'waiting'
       where id = '${job?.id}'`,
    );
    await withDatabase(app, (db) =>
      eventually(async () => {
        const failed = await db
          .selectFrom('job')
          .selectAll()
          .where('id', '=', job?.id ?? '')
          .executeTakeFirst();
        expect(failed?.last_error).toMatch(/Stripe/);
        expect(failed?.died_at).toBeNull();
      }),
    );
    proxy.fail('none');
    await runSql(app, `update job set run_at = 0 where id = '${job?.id}'`);
    await waitUntilUnlocked(buyer, id);
  });
});
